---------------------- MODULE transactions_as_published ----------------------
(***************************************************************************)
(* transactions.tla with what its author's published specification has in  *)
(* the place of two operators; which of them, each configuration says.     *)
(* With both, the counts of states are the paper's.                        *)
(***************************************************************************)
EXTENDS transactions

\* The id of the TID that asked last, though a younger one may have been handed out before: two TIDs may get one id.
PublishedLastPid(pid) == pid

\* Committed metadata taken for pending ones: a TID that is known is in transition for ever.
PublishedPending == tc_txn_metadata
=============================================================================
