----------------------- MODULE channel_takes_any_ack -----------------------
(* A fault in channel.tla: the sender takes every acknowledgement for that of its message. Caught by
   Arrived. *)
EXTENDS channel

Takes(m) == sent < N
=============================================================================
