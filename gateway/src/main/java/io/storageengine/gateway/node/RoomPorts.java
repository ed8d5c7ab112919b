package io.storageengine.gateway.node;

import io.micrometer.core.instrument.MeterRegistry;
import io.storageengine.core.Ask;
import io.storageengine.core.Clock;
import io.storageengine.core.Ids;
import io.storageengine.core.store.Buckets;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.gateway.auth.AccessKey;
import java.util.random.RandomGenerator;

/// What rooms are made of.
///
/// @param cluster cluster storage
/// @param secretsKey the 32 bytes that encrypt secrets, from `secrets.key-file` or the environment
/// @param accessKey what engines sign with at this node's S3 API
/// @param meters of `/metrics`
/// @param url how clients reach this node
record RoomPorts(
        Settings settings,
        Buckets buckets,
        ObjectStore cluster,
        SecretsKey secretsKey,
        AccessKey accessKey,
        Ask ask,
        MeterRegistry meters,
        Clock clock,
        RandomGenerator random,
        Ids ids,
        String url) {}
