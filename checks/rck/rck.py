"""The Iceberg REST Compatibility Kit against the real jar, compared with the list of failures that are expected.

`--list` prints the failures in the form of that list. A failure that is not on it fails the check, and so does a
test on it that passes, or is not there any more: the list says exactly where we stand.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import xml.etree.ElementTree

from harness import places, process
from harness.server import Server

EXPECTED = pathlib.Path(__file__).with_name("expected-failures.txt")
SECONDS = int(os.environ.get("CHECKS_RCK_SECONDS", "900"))
PACKAGE = "org.apache.iceberg.rest."
SUITES = ["RESTCompatibilityKitCatalogTests", "RESTCompatibilityKitViewCatalogTests"]


def run_kit(uri, folder):
    """Runs both suites in a JVM of their own; its output is in kit.log."""
    # The client takes its URI from the environment. Locations asked for under file: are ours to choose instead.
    settings = {"rck.local": "false", "rck.requires-namespace-create": "true", "rck.overrides-requested-location": "true",
                "rck.supports-serverside-retry": "true"}
    # The kit's client writes metadata through the file access that the catalog tells it of: no storage settings here.
    command = ["java", "-Xmx1g", *[f"-D{key}={value}" for key, value in settings.items()], "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
               "-cp", f"{places.KIT}/*", "org.junit.platform.console.ConsoleLauncher", "execute", "--disable-banner", "--details=none",
               "--reports-dir", str(folder / "reports"), *[f"--select-class={PACKAGE}{suite}" for suite in SUITES],
               *[f"--config={key}={value}" for key, value in settings.items()]]
    with open(folder / "kit.log", "wb") as log:
        subprocess.run(command, stdout=log, stderr=log, timeout=SECONDS, env={**os.environ, "CATALOG_URI": uri})


def results(folder):
    """Test -> (outcome, first line of what went wrong)."""
    found = {}
    for report in (folder / "reports").glob("TEST-*jupiter*.xml"):
        for case in xml.etree.ElementTree.parse(report).getroot().iter("testcase"):
            test = f"{case.get('classname').removeprefix(PACKAGE)}#{case.get('name')}"
            fault = case.find("failure") if case.find("failure") is not None else case.find("error")
            if fault is not None:
                said = (fault.get("message") or fault.text or fault.get("type") or "").strip().splitlines()
                found[test] = ("failed", " ".join(said)[:200])
            else:
                found[test] = ("skipped" if case.find("skipped") is not None else "passed", "")
    return found


def expected():
    """Test -> reason, from lines `test  reason`."""
    reasons = {}
    for number, line in enumerate(EXPECTED.read_text().splitlines(), start=1):
        if line.strip() and not line.startswith("#"):
            test, _, reason = line.partition("  ")
            assert reason.strip(), f"{EXPECTED.name}:{number}: no reason given for {test}"
            reasons[test] = reason.strip()
    return reasons


def judge(found, reasons):
    """What is not as the list says, one line each."""
    wrong = []
    for test, (outcome, why) in sorted(found.items()):
        if outcome == "failed" and test not in reasons:
            wrong.append(f"fails, and is not expected to: {test}  {why}")
        if outcome != "failed" and test in reasons:
            wrong.append(f"{outcome}, but is on the list of failures: {test}  {reasons[test]}")
    return wrong + [f"on the list of failures, but not a test: {test}" for test in reasons if test not in found]


def kit_missing():
    return not list(places.KIT.glob("iceberg-open-api-*-tests.jar"))


def main():
    if kit_missing():
        print("rck: 0 passed, 0 failed, 1 skipped (everything: the kit's jars could not be installed)")
        return 1
    process.limit(SECONDS + 900)
    folder = places.scratch("rck")
    print(f"server log, kit log and reports in {folder}", flush=True)
    with Server(folder, ["--catalog.replace-foreign-locations=true"]) as server:
        run_kit(server.catalog(), folder)
        found = results(folder)
        if not found:
            print((folder / "kit.log").read_text(errors="replace")[-3000:])
            server.show_log()
    if "--list" in sys.argv:
        print("\n".join(f"{test}  {why}" for test, (outcome, why) in sorted(found.items()) if outcome == "failed"))
    wrong = judge(found, expected())
    print("\n".join(wrong))
    counts = {outcome: sum(1 for kind, _ in found.values() if kind == outcome) for outcome in ("passed", "failed", "skipped")}
    print(f"rck: {counts['passed']} passed, {counts['failed']} failed ({len(expected())} expected), {counts['skipped']} skipped, "
          f"{len(wrong)} not as expected")
    if wrong or not counts["passed"]:
        return 1
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
