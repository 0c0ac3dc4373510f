---------------- MODULE transactions_sets_the_watermark_back ----------------
\* A fault in transactions.tla: a watermark that has come to 2 starts again.
\* Caught by LogIsDurable.
EXTENDS transactions

Wrapped(hwm) == (hwm + 1) % 2
=============================================================================
