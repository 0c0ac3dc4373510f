--------------------------- MODULE heartbeat_any_ack ------------------------
\* A fault in heartbeat.tla: an ACK takes all notifications of its origin off the list.
\* Caught by IsFlooding.
EXTENDS heartbeat

SameOrigin(listed, note) == listed.origin = note.origin
=============================================================================
