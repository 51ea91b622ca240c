"""Counters for operators, in Prometheus' format."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

FAST = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Metrics:
    """What is counted. Of its own for every server, so that several can live in one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.rooms = Gauge("sunglade_rooms", "Tables in memory", registry=self.registry)
        self.connections = Gauge("sunglade_connections", "Open WebSockets", registry=self.registry)
        self.open = Gauge("sunglade_open_connections", "Open connections of any kind", registry=self.registry)
        self.events = Counter("sunglade_events", "Events committed", ["kind"], registry=self.registry)
        self.refusals = Counter("sunglade_refusals", "Requests refused", ["kind"], registry=self.registry)
        self.requests = Counter("sunglade_requests", "HTTP requests", ["status"], registry=self.registry)
        self.commit_seconds = Histogram(
            "sunglade_commit_seconds", "From an event to its commit", buckets=FAST, registry=self.registry
        )
        self.think_seconds = Histogram(
            "sunglade_think_seconds", "Thinking of bots", ["bot"], buckets=(*FAST, 5.0, 10.0), registry=self.registry
        )
        self.thoughts_waiting = Gauge(
            "sunglade_thoughts_waiting", "Questions that wait for a bot", ["lane"], registry=self.registry
        )
        self.thought_wait_seconds = Histogram(
            "sunglade_thought_wait_seconds",
            "How long questions wait until a bot begins to think, by the kind of bot and for whom",
            ["lane", "whom"],
            buckets=(*FAST, 5.0, 10.0, 30.0, 60.0, 300.0),
            registry=self.registry,
        )
        self.notices = Counter(
            "sunglade_notices", "Notices sent, and what became of them", ["kind", "outcome"], registry=self.registry
        )
        self.engines = Gauge("sunglade_thinkers", "Worker processes of bots that live", registry=self.registry)

    def count_rooms(self, rooms: int) -> None:
        """So many tables are in memory."""
        self.rooms.set(rooms)

    def count_event(self, kind: str) -> None:
        """An event was committed."""
        self.events.labels(kind).inc()

    def count_commit(self, seconds: float) -> None:
        """So long it took."""
        self.commit_seconds.observe(seconds)

    def count_refusal(self, kind: str) -> None:
        """Somebody was refused."""
        self.refusals.labels(kind).inc()

    def text(self) -> bytes:
        """Everything, as Prometheus reads it."""
        return generate_latest(self.registry)
