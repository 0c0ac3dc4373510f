---------------------------- MODULE transactions ----------------------------
(***************************************************************************)
(* How a Kafka producer obtains its producer id, after                     *)
(*   J. Vanlightly: Kafka transactions, a diary; entry on the TLA+ model   *)
(*   of InitPidRequest (2024).                                             *)
(*                                                                         *)
(* Clients ask brokers for a producer id under a transactional id (TID).   *)
(* Each TID belongs to a partition of the transaction log, and the leader  *)
(* of that partition is its coordinator (TC). A TC that is asked           *)
(*  - for a TID of another TC answers NotCoordinator;                      *)
(*  - for a TID with a pending transition, ConcurrentTransactions;         *)
(*  - else appends to the log, with a new id and epoch 0 for a new TID, or *)
(*    the old id and the next epoch; when the high watermark passes that   *)
(*    entry, it answers OK.                                                *)
(* A client that is refused asks again, the same broker or another.        *)
(*                                                                         *)
(* Rebuilt from the text, and why:                                         *)
(* * The six variables of the text are here under its names; the text also *)
(*   speaks of ids that are generated (last_pid), of TIDs that belong to   *)
(*   partitions (partition_of), and of messages, in flight and processed.  *)
(* * Initially TIDs belong to partitions and partitions to leaders in any  *)
(*   way: 36 initial states with 2 partitions, 2 TIDs and 3 brokers.       *)
(* * A client picks its TID with its first request and keeps it, and       *)
(*   remembers what its last refusal was.                                  *)
(* * Metadata are a producer id and an epoch: what else Kafka stores would *)
(*   follow from these two here.                                           *)
(* * Once all clients have an id nothing can happen any more, which is no  *)
(*   fault: every configuration says CHECK_DEADLOCK FALSE.                 *)
(*                                                                         *)
(* Where the text, or the specification that its author published, is      *)
(* wrong:                                                                  *)
(* 1 The text asks for strong fairness of ReceiveInitPidRequest. With that *)
(*   EventuallyAllClientsGetPid is VIOLATED: the wrong broker is asked for *)
(*   ever. It is sending that is enabled again and again, but not always:  *)
(*   strong fairness of SendInitPidRequest, and it HOLDS. See the four     *)
(*   transactions_1112_*.cfg; three have a lasso to show.                  *)
(* 2 The state counts with symmetry and a view, 1839 and 37546, are not    *)
(*   facts of the model: TLC picks the representative of a state by all of *)
(*   it, then leaves out what the view hides, so that one class may be     *)
(*   counted more than once, and how often depends on the order in which   *)
(*   states are found. The quotient has 1472 and 32776 states; TLC finds   *)
(*   1472 with this file, and once 32844, once 32851.                      *)
(* 3 As published, the map of pending transitions that a TC goes on with   *)
(*   is its map of metadata, plus the new transition. Every known TID then *)
(*   seems to be in transition and is refused for ever, which takes three  *)
(*   clients to see: transactions_as_published_1231.cfg, VIOLATED.         *)
(* 4 As published, the source of producer ids is set to the id of the TID  *)
(*   that asked, which may be an older one. With three TIDs, two of them   *)
(*   can get the same id: transactions_as_published_1341.cfg, VIOLATED     *)
(*   after 8 steps.                                                        *)
(* The paper's counts are of the published specification and are those of  *)
(* transactions_as_published*.cfg; here 3 and 4 are done right, so there   *)
(* are fewer states. expect.toml has all counts and verdicts.              *)
(***************************************************************************)
EXTENDS Integers, Sequences, TLC

CONSTANTS
    TxnLogPartitions,   \* of the transaction log
    TransactionIds,
    Clients,
    Brokers,
    None                \* a model value: nothing there

VARIABLES
    client,             \* by client: what it knows
    tc_txn_metadata,    \* by TC and TID: metadata, as committed to the log
    tc_txn_transition,  \* by TC and TID: metadata that are in the log, but not committed yet
    tc_part_metadata,   \* by TC and partition: does it lead the partition
    txn_log,            \* by partition: its entries
    txn_log_hwm,        \* by partition: how many of its entries are committed
    last_pid,           \* the last producer id that was handed out
    partition_of,       \* by TID: the partition that it belongs to
    messages,           \* in flight: unordered, neither lost nor duplicated
    processed           \* messages that were received

tc_vars == <<tc_txn_metadata, tc_txn_transition, tc_part_metadata, last_pid, partition_of>>
log_vars == <<txn_log, txn_log_hwm>>
net_vars == <<messages, processed>>
vars == <<client, tc_vars, log_vars, net_vars>>

\* The state of a client.
Ready == "Ready"
SentInitPidRequest == "SentInitPidRequest"
HasPid == "HasPid"

\* The code of a response.
OK == "OK"
NotCoordinator == "NotCoordinator"
ConcurrentTransactions == "ConcurrentTransactions"

-----------------------------------------------------------------------------
\* Messages

Request(c, b, tid) == [type |-> "InitPidRequest", source |-> c, dest |-> b, tid |-> tid]

Response(b, c, code, metadata) ==
    [type |-> "InitPidResponse", source |-> b, dest |-> c, code |-> code,
     pid |-> metadata.pid, epoch |-> metadata.epoch]

NoMetadata == [pid |-> -1, epoch |-> -1]

Send(m) == /\ messages' = messages \cup {m}
           /\ UNCHANGED processed

Receive(m) == /\ messages' = messages \ {m}
              /\ processed' = processed \cup {m}

Answer(m, answer) == /\ messages' = (messages \ {m}) \cup {answer}
                     /\ processed' = processed \cup {m}

-----------------------------------------------------------------------------
\* What other modules change: a configuration can put another operator in the place of each.

\* The last id handed out, once a TC has given or looked up `pid`.
LastPid(pid) == IF pid > last_pid THEN pid ELSE last_pid

\* The transitions that are pending when another one comes up.
Pending == tc_txn_transition

\* What a TID is to have next.
Successor(metadata) == [metadata EXCEPT !.epoch = @ + 1]

\* How far a watermark moves.
Advanced(hwm) == hwm + 1

-----------------------------------------------------------------------------
SendInitPidRequest(c, b) ==
    /\ client[c].state = Ready
    /\ \E tid \in TransactionIds :
        /\ client[c].tid \in {None, tid}
        /\ client' = [client EXCEPT ![c].state = SentInitPidRequest, ![c].tid = tid]
        /\ Send(Request(c, b, tid))
    /\ UNCHANGED <<tc_vars, log_vars>>

\* A new TID has metadata from the first request on, committed or not: the id, and no epoch yet.
Current(b, tid) ==
    IF tc_txn_metadata[b][tid] = None THEN [pid |-> last_pid + 1, epoch |-> -1] ELSE tc_txn_metadata[b][tid]

Refuse(b, m, code) == Answer(m, Response(b, m.source, code, NoMetadata))

Append_(b, m, metadata) ==
    /\ tc_txn_transition' = [Pending EXCEPT ![b][m.tid] = metadata]
    /\ txn_log' = [txn_log EXCEPT ![partition_of[m.tid]] =
                       Append(@, [client |-> m.source, tid |-> m.tid, metadata |-> metadata])]
    /\ Receive(m)

ReceiveInitPidRequest(b, c) ==
    /\ \E tid \in TransactionIds :
        LET m == Request(c, b, tid)
            current == Current(b, tid)
        IN  /\ m \in messages
            /\ IF ~tc_part_metadata[b][partition_of[tid]]
               THEN /\ Refuse(b, m, NotCoordinator)
                    /\ UNCHANGED <<tc_txn_metadata, tc_txn_transition, last_pid, txn_log>>
               ELSE /\ tc_txn_metadata' = [tc_txn_metadata EXCEPT ![b][tid] = current]
                    /\ last_pid' = LastPid(current.pid)
                    /\ IF tc_txn_transition[b][tid] # None
                       THEN /\ Refuse(b, m, ConcurrentTransactions)
                            /\ UNCHANGED <<tc_txn_transition, txn_log>>
                       ELSE Append_(b, m, Successor(current))
    /\ UNCHANGED <<client, tc_part_metadata, partition_of, txn_log_hwm>>

CompleteInitPidRequest(b, p) ==
    /\ tc_part_metadata[b][p]
    /\ txn_log_hwm[p] < Len(txn_log[p])
    /\ LET entry == txn_log[p][txn_log_hwm[p] + 1]
       IN  /\ tc_txn_metadata' = [tc_txn_metadata EXCEPT ![b][entry.tid] = entry.metadata]
           /\ tc_txn_transition' = [tc_txn_transition EXCEPT ![b][entry.tid] = None]
           /\ Send(Response(b, entry.client, OK, entry.metadata))
    /\ txn_log_hwm' = [txn_log_hwm EXCEPT ![p] = Advanced(@)]
    /\ UNCHANGED <<client, tc_part_metadata, last_pid, partition_of, txn_log>>

ReceiveInitPidResponse(c) ==
    /\ client[c].state = SentInitPidRequest
    /\ \E m \in messages :
        /\ m.type = "InitPidResponse"
        /\ m.dest = c
        /\ client' = IF m.code = OK
                     THEN [client EXCEPT ![c].state = HasPid, ![c].pid = m.pid, ![c].epoch = m.epoch]
                     ELSE [client EXCEPT ![c].state = Ready, ![c].last_state = SentInitPidRequest,
                                     ![c].last_error = m.code]
        /\ Receive(m)
    /\ UNCHANGED <<tc_vars, log_vars>>

-----------------------------------------------------------------------------
Init ==
    /\ client = [c \in Clients |-> [state |-> Ready, tid |-> None, pid |-> -1, epoch |-> -1,
                                    last_state |-> None, last_error |-> None]]
    /\ tc_txn_metadata = [b \in Brokers |-> [tid \in TransactionIds |-> None]]
    /\ tc_txn_transition = [b \in Brokers |-> [tid \in TransactionIds |-> None]]
    /\ \E leader \in [TxnLogPartitions -> Brokers] :
        tc_part_metadata = [b \in Brokers |-> [p \in TxnLogPartitions |-> leader[p] = b]]
    /\ txn_log = [p \in TxnLogPartitions |-> <<>>]
    /\ txn_log_hwm = [p \in TxnLogPartitions |-> 0]
    /\ last_pid = 0
    /\ partition_of \in [TransactionIds -> TxnLogPartitions]
    /\ messages = {}
    /\ processed = {}

Next ==
    \/ \E c \in Clients :
        \/ ReceiveInitPidResponse(c)
        \/ \E b \in Brokers :
            \/ SendInitPidRequest(c, b)
            \/ ReceiveInitPidRequest(b, c)
    \/ \E b \in Brokers, p \in TxnLogPartitions : CompleteInitPidRequest(b, p)

-----------------------------------------------------------------------------
\* Fairness: what each specification is found to be, with EventuallyAllClientsGetPid

WeakButForRequests ==
    /\ \A c \in Clients : WF_vars(ReceiveInitPidResponse(c))
    /\ \A b \in Brokers, p \in TxnLogPartitions : WF_vars(CompleteInitPidRequest(b, p))

\* VIOLATED: nothing need ever happen.
Spec == Init /\ [][Next]_vars

\* VIOLATED: some client sends to some broker, and that is enough.
HiddenSpec ==
    /\ Spec
    /\ WF_vars(\E c \in Clients : ReceiveInitPidResponse(c))
    /\ WF_vars(\E c \in Clients, b \in Brokers : SendInitPidRequest(c, b))
    /\ WF_vars(\E c \in Clients, b \in Brokers : ReceiveInitPidRequest(b, c))
    /\ WF_vars(\E b \in Brokers, p \in TxnLogPartitions : CompleteInitPidRequest(b, p))

\* VIOLATED: while a client waits for its answer it can send to nobody, so no sending is enabled for ever.
WeakSpec ==
    /\ Spec
    /\ WeakButForRequests
    /\ \A c \in Clients, b \in Brokers : WF_vars(SendInitPidRequest(c, b)) /\ WF_vars(ReceiveInitPidRequest(b, c))

\* VIOLATED, though the text says that it holds: what is never sent is never there to be received.
TextSpec ==
    /\ Spec
    /\ WeakButForRequests
    /\ \A c \in Clients, b \in Brokers : WF_vars(SendInitPidRequest(c, b)) /\ SF_vars(ReceiveInitPidRequest(b, c))

\* HOLDS.
LivenessSpec ==
    /\ Spec
    /\ WeakButForRequests
    /\ \A c \in Clients, b \in Brokers : SF_vars(SendInitPidRequest(c, b)) /\ WF_vars(ReceiveInitPidRequest(b, c))

-----------------------------------------------------------------------------
\* Properties

EventuallyAllClientsGetPid == <>[](\A c \in Clients : client[c].state = HasPid)

\* No two TIDs have the same producer id, whichever TCs they belong to.
DistinctPids ==
    \A b1, b2 \in Brokers, tid1, tid2 \in TransactionIds :
        \/ tid1 = tid2
        \/ tc_txn_metadata[b1][tid1] = None
        \/ tc_txn_metadata[b2][tid2] = None
        \/ tc_txn_metadata[b1][tid1].pid # tc_txn_metadata[b2][tid2].pid

\* No two clients have the same id and epoch: one of them can be told to be the older one.
DistinctEpochs ==
    \A c1, c2 \in Clients :
        \/ c1 = c2
        \/ client[c1].state # HasPid
        \/ client[c2].state # HasPid
        \/ client[c1].pid # client[c2].pid
        \/ client[c1].epoch # client[c2].epoch

\* The log only grows, and so does what is committed of it.
LogIsDurable ==
    [][\A p \in TxnLogPartitions :
        /\ Len(txn_log'[p]) >= Len(txn_log[p])
        /\ SubSeq(txn_log'[p], 1, Len(txn_log[p])) = txn_log[p]
        /\ txn_log_hwm'[p] >= txn_log_hwm[p]]_log_vars

-----------------------------------------------------------------------------
\* Smaller state spaces, for safety only

Symmetry ==
    Permutations(Clients) \cup Permutations(Brokers)
        \cup Permutations(TransactionIds) \cup Permutations(TxnLogPartitions)

\* Enough to tell whether ids are distinct.
SymmetryOfIds == Permutations(TransactionIds)

\* All but the messages processed, which nothing depends on.
View == <<client, tc_vars, log_vars, messages>>
=============================================================================
