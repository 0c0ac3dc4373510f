----------------------- MODULE flooding_takes_any_number --------------------
\* A fault in flooding.tla: what has another number than the last one is taken for newer.
\* Caught by NoOlder, SettledIsRight and Converges.
EXTENDS flooding

Other(s, t) == s # t
=============================================================================
