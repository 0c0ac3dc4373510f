------------------------- MODULE channel_loses_all -------------------------
(* A fault in channel.tla: weak fairness lets the channel lose everything. Caught by Finishes. *)
EXTENDS channel

Weak == WF_vars(Send) /\ WF_vars(Arrive) /\ WF_vars(Return)
=============================================================================
