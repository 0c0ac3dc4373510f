------------------------ MODULE channel_never_ends ------------------------
(* A fault in channel.tla: nothing says that it may end. Caught by deadlock. *)
EXTENDS channel

Working ==
    \/ Send
    \/ \E m \in network : Receive(m) \/ Acknowledge(m) \/ Lose(m)
=============================================================================
