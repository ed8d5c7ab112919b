"""moto_server that answers one request after the other. By itself it looks whether a key is there and then writes it, on a
thread for each request: now and then two of twenty writers with `If-None-Match: *` both win, which no S3 allows."""
import sys
import threading

from moto.moto_server.werkzeug_app import DomainDispatcherApplication
from moto.server import main

TURN = threading.Lock()
ANSWER = DomainDispatcherApplication.__call__


def in_turn(application, environ, start_response):
    with TURN:
        return ANSWER(application, environ, start_response)


DomainDispatcherApplication.__call__ = in_turn
main(sys.argv[1:])
