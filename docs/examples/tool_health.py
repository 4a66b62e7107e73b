#!/usr/bin/env python3
"""An implementation of the rules in plain Python, for the kit to test (see ../protocol.md)."""

import json
import sys

LARGEST = 2**63 - 1


def elapsed(start, now):
    """Returns now - start on a 64-bit clock, which may have wrapped in between."""
    return (now - start + 2**63) % 2**64 - 2**63


class Refused(Exception):
    """An error to report, with its kind ("null" or "argument") and a message."""


class Tool:
    def __init__(self, config):
        self.config = config
        self.successes = self.failures = self.duration_sum = self.duration_max = 0
        self.ewma = 1_000_000
        self.consecutive_failures = 0
        self.state = "CLOSED"
        self.since = 0  # OPEN: start of the cooldown; HALF_OPEN: grant of the probe
        self.period = 0  # number of times the breaker has opened
        self.probe = None  # HALF_OPEN: the probe's permit; None for a probe by name

    def state_at(self, now):
        """Returns the state now. An expired probe is OPEN from the end of its lease (LEASE-1)."""
        lease = self.config["probeTimeoutNanos"]
        if self.state == "HALF_OPEN" and lease != 0 and elapsed(self.since, now) >= lease:
            self.open(self.since + lease)
        return self.state

    def open(self, since):
        self.period += self.state != "OPEN"
        self.state, self.since = "OPEN", since

    def is_available(self, now):
        cooled = lambda: elapsed(self.since, now) >= self.config["recoveryNanos"]
        return self.state_at(now) == "CLOSED" or (self.state == "OPEN" and cooled())

    def allow_request(self, now, permit=None):
        allowed = self.is_available(now)
        if allowed and self.state == "OPEN":
            self.state, self.since, self.probe = "HALF_OPEN", now, permit
        return allowed

    def retry_after(self, now):
        lease = self.config["probeTimeoutNanos"]
        if self.state == "HALF_OPEN" and lease == 0:
            return -1
        waits = lease if self.state == "HALF_OPEN" else 0
        return min(LARGEST, waits + self.config["recoveryNanos"] - elapsed(self.since, now))

    def ignores(self, permit, now):
        """Returns whether the breaker ignores a result of this permit (PERMIT-2, PERMIT-3)."""
        if self.state_at(now) == "HALF_OPEN":
            return permit is not self.probe
        return self.state == "CLOSED" and permit is not None and permit.period != self.period

    def count(self, sample, nanos):
        self.duration_sum = min(LARGEST, self.duration_sum + max(0, nanos))
        self.duration_max = max(self.duration_max, nanos)
        self.ewma = (7 * self.ewma + 3 * sample) // 10

    def record_success(self, nanos, now, permit=None):
        self.count(1_000_000, nanos)
        self.successes += 1
        ignored = self.ignores(permit, now)
        if not ignored and self.state != "OPEN":  # OPEN ignores successes (STALE-1)
            self.state, self.consecutive_failures = "CLOSED", 0

    def record_failure(self, nanos, now, permit=None):
        self.count(0, nanos)
        self.failures += 1
        if self.ignores(permit, now):
            return
        self.consecutive_failures += 1
        trips = 0 < self.config["failureThreshold"] <= self.consecutive_failures
        if self.state == "HALF_OPEN" or (self.state == "CLOSED" and trips):
            self.open(now)
        elif self.state == "OPEN" and elapsed(self.since, now) > 0:  # never moves back (STALE-5)
            self.since = now

    def statistics(self):
        total = self.successes + self.failures
        return {"successes": self.successes, "failures": self.failures, "total": total,
                "successRate": self.successes / total if total else 1.0,
                "durationSumNanos": self.duration_sum,
                "averageDurationNanos": self.duration_sum // total if total else 0,
                "maxDurationNanos": self.duration_max}

    def score(self):
        return 0.3 * self.statistics()["successRate"] + 0.7 * self.ewma / 1_000_000

    def status(self, now):
        total = self.successes + self.failures
        exact = 3_000_000 * self.successes + 7 * self.ewma * total  # exact integers (SCORE-4)
        if self.state_at(now) == "OPEN" or exact < 5_000_000 * total:
            return "UNHEALTHY"
        return "HEALTHY" if exact >= 8_000_000 * total else "DEGRADED"


class Permit:
    def __init__(self, tool, now):
        self.tool = tool
        self.granted = tool.allow_request(now, self)
        self.period, self.reported = tool.period, not self.granted
        self.retry_after = 0 if self.granted else tool.retry_after(now)

    def report(self, outcome, *args):
        """Passes the first report to the tool; later reports do nothing (PERMIT-5)."""
        if not self.reported:
            self.reported = True
            outcome(*args, permit=self)

    def cancel(self, now):
        self.report(self.give_back, now)

    def give_back(self, now, permit):
        tool = self.tool
        if tool.state_at(now) == "HALF_OPEN" and tool.probe is permit:
            tool.open(now - tool.config["recoveryNanos"])


class Registry:
    def __init__(self, config):
        self.tools, self.handles, self.permits, self.fallbacks = {}, {}, {}, {}
        self.configure(config)

    def configure(self, config):
        for field, value in config.items():
            if value < 0:
                raise Refused("argument", f"{field} must not be negative: {value}")
        self.config = config

    def touch(self, request):
        if "tool" not in request:
            return self.handles[request["handle"]]
        if request["tool"] not in self.tools:
            self.tools[request["tool"]] = Tool(self.config)
        return self.tools[request["tool"]]

    def try_acquire(self, request):
        permit = Permit(self.touch(request), request["now"])
        self.permits[request["permit"]] = permit
        return {"granted": permit.granted, "retryAfterNanos": permit.retry_after}

    def success(self, permit, nanos, now):
        permit.report(permit.tool.record_success, nanos, now)

    def failure(self, permit, nanos, now):
        permit.report(permit.tool.record_failure, nanos, now)

    def look(self, name):
        return self.tools.get(name) or Tool(self.config)

    def set_fallbacks(self, primary, fallbacks):
        if fallbacks is None or None in fallbacks:
            raise Refused("null", "fallbacks must not be null or contain null")
        self.fallbacks[primary] = fallbacks

    def route(self, primary, now):
        available = [name for name in self.fallbacks.get(primary, [])
                     if self.look(name).is_available(now)]
        well = [name for name in available if self.look(name).status(now) != "UNHEALTHY"]
        return primary if self.look(primary).is_available(now) else [*well, *available, primary][0]

    def summary(self, now):
        return {name: {"status": tool.status(now), "score": tool.score()}
                for name, tool in self.tools.items()}


OPERATIONS = {
    "allowRequest": lambda r, q: r.touch(q).allow_request(q["now"]),
    "recordSuccess": lambda r, q: r.touch(q).record_success(q["nanos"], q["now"]),
    "recordFailure": lambda r, q: r.touch(q).record_failure(q["nanos"], q["now"]),
    "isToolAvailable": lambda r, q: r.look(q["tool"]).is_available(q["now"]),
    "circuitState": lambda r, q: r.look(q["tool"]).state_at(q["now"]),
    "consecutiveFailures": lambda r, q: r.look(q["tool"]).consecutive_failures,
    "statistics": lambda r, q: r.look(q["tool"]).statistics(),
    "ewma": lambda r, q: r.look(q["tool"]).ewma,
    "score": lambda r, q: r.look(q["tool"]).score(),
    "healthStatus": lambda r, q: r.look(q["tool"]).status(q["now"]),
    "toolCount": lambda r, q: len(r.tools),
    "healthSummary": lambda r, q: r.summary(q["now"]),
    "configure": lambda r, q: r.configure(q["config"]),
    "setFallbacks": lambda r, q: r.set_fallbacks(q["tool"], q["fallbacks"]),
    "route": lambda r, q: r.route(q["tool"], q["now"]),
    "handle": lambda r, q: r.handles.update({q["handle"]: r.touch(q)}),
    "tryAcquire": lambda r, q: r.try_acquire(q),
    "success": lambda r, q: r.success(r.permits[q["permit"]], q["nanos"], q["now"]),
    "failure": lambda r, q: r.failure(r.permits[q["permit"]], q["nanos"], q["now"]),
    "cancel": lambda r, q: r.permits[q["permit"]].cancel(q["now"]),
    "close": lambda r, q: r.permits[q["permit"]].cancel(q["now"]),
}
registries = {}


def reply(request):
    if request["op"] == "create":
        registries[request["registry"]] = Registry(request["config"])
        return {}
    if request.get("tool", "") is None:
        raise Refused("null", "tool must not be null")
    return {"answer": OPERATIONS[request["op"]](registries[request["registry"]], request)}


def say(**line):
    print(json.dumps(line), flush=True)


say(protocol=1, capabilities=["ORACLE", "CIRCUIT_STATE", "CONSECUTIVE_FAILURES", "STATISTICS",
                              "SCORE", "SUMMARY", "RECONFIGURATION", "ROUTING", "HANDLES",
                              "PERMITS"])
for line in sys.stdin:
    request = json.loads(line)
    try:
        say(id=request["id"], **reply(request))
    except Refused as refused:
        say(id=request["id"], kind=refused.args[0], error=refused.args[1])
