---------------------- MODULE producer_never_times_out ----------------------
\* A fault in transactional_producer.tla: no transaction times out, so that of a producer that crashed stays open.
\* Caught by NothingStaysOpen.
EXTENDS transactional_producer

Never == FALSE
=============================================================================
