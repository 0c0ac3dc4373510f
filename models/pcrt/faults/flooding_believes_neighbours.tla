--------------------- MODULE flooding_believes_neighbours -------------------
\* A fault in flooding.tla: of its own links, too, a broker believes what anybody says.
\* Caught by KnowsItsOwnLinks.
EXTENDS flooding

BelievedOfAll(b, mine, all, note) == mine \cup UNION {all[o] : o \in Brokers}
=============================================================================
