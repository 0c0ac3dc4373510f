----------------------- MODULE flooding_forwards_nothing --------------------
\* A fault in flooding.tla: brokers tell their neighbours of their own links, and forward nothing.
\* Caught by SettledIsRight and Converges.
EXTENDS flooding

OnlyWhatIsItsOwn(b, failed) == IF failed = own[b] THEN {} ELSE Neighbours(b)
=============================================================================
