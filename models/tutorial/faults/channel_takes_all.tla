------------------------- MODULE channel_takes_all -------------------------
(* A fault in channel.tla: the receiver takes every message for a new one. Caught by Once. *)
EXTENDS channel

Takes(m) == delivered < 4   \* so that there is an end
=============================================================================
