"""The paper's declarations, and the two halves of the KDC: AS (figure 5) and TGS (figure 6)."""

from __future__ import annotations

from tools.uppaal_xml import Edge, Location, Template

DECLARATION = """
// Table 3
typedef int[0,3] client;
typedef int[0,1] producer;
typedef int[2,3] consumer;

const int N = 2;                      // the capacity of the queue
const int MESSAGES = 3;               // how many are published in all; more than N, so that a producer may have to wait
const int HEARTBEAT = 5;              // seconds
const int LIFETIME = 10;              // of a TGT and of a Ticket: until when on clock t they are good
typedef int[0,N-1] id_q;
typedef int[0,MESSAGES-1] id_m;
typedef int[0,MESSAGES] message;      // 0 is none

const int NoKey = 0, CKey = 1, TKey = 2, SKey = 3, CTSessionKey = 4, CSSessionKey = 5;
typedef int[0,5] secret;
typedef int[0,1] server;
const server Broker = 1;

// Who is who: what the database of AS holds, and who has the client's secret key.
const bool registered[client] = REGISTERED;
const bool owner[client] = OWNER;

// Table 1. A clock cannot be put in a message: Time of an Authenticator is left to the clocks of its receivers.
typedef struct { secret key; secret sessionkey; } msgA;
typedef struct { secret key; secret sessionkey; client client_id; server server_id; int[0,LIFETIME] life; } msgB;
typedef struct { secret key; client client_id; } msgD;
typedef struct { secret key; secret sessionkey; client client_id; int[0,LIFETIME] life; } msgE;
typedef struct { secret key; secret sessionkey; } msgF;
typedef struct { secret key; client client_id; } msgG;
msgA MsgA[client];
msgB MsgB[client];
msgD MsgD[client];
msgE MsgE[client];
msgF MsgF[client];
msgG MsgG[client];
server ServerID[client];              // in the request to AS

bool pend[producer], bpend[producer]; // the producer, its broker has ended the connection
bool cend[consumer], bcend[consumer];
bool declared;                        // some producer has declared the queue
int[0,N] cnt;                         // messages in the queue
int[1,MESSAGES+1] body = 1;           // the next message
message pmsg[producer];               // on its way from the producer to the queue
int[0,1] addop[producer] = {1, 1};    // 0 while the broker has yet to add pmsg to the queue
message tail, head;                   // what the queue is handed, what it hands over
message cmsg[consumer][MESSAGES];     // cmsg[i][k]: the k-th message that consumer i received
clock t;                              // global time

// Table 2
chan clientReqAs[client], clientReqTgs[client], clientReqServer[client];
chan asSendMsg[client], tgsSendMsg[client], serverSendMsg[client], sendError[client];
chan check[client], ack[client], open[client], restart[client];
chan dequeue[producer], publish[producer], consume[consumer], deliver[consumer];
chan new, add, hd, rem;

// Whether a message more fits: those that brokers have yet to add count as well.
bool room() { return cnt + (sum(p : producer) (1 - addop[p])) < N; }
"""

AS = Template(
    "AS",
    "const client id",
    """
bool clientvalid;
server serverid;
int[0,LIFETIME] lifetime = LIFETIME;

void clientValid() { clientvalid = registered[id]; serverid = ServerID[id]; }

void sendMsgAB() {
    MsgA[id].key = CKey;
    MsgA[id].sessionkey = CTSessionKey;
    MsgB[id].key = TKey;
    MsgB[id].sessionkey = CTSessionKey;
    MsgB[id].client_id = id;
    MsgB[id].server_id = serverid;
    MsgB[id].life = lifetime;
}
""",
    (
        Location("Init", (0, 0)),
        Location("ReceiveReq", (0, 1), "urgent", comment="Looking an id up takes no time."),
        Location("AsSendAB", (0, 2), comment="The client has MsgA and the TGT."),
        Location("Error", (1.5, 1)),
    ),
    (
        Edge("Init -> ReceiveReq", "clientReqAs[id]?", update="clientValid()", shift=(0, -0.15)),
        Edge("ReceiveReq -> AsSendAB", "asSendMsg[id]!", "clientvalid", "sendMsgAB()", shift=(0, -0.05)),
        Edge("ReceiveReq -> Error", "sendError[id]!", "!clientvalid", shift=(-0.2, -0.3)),
    ),
)

TGS = Template(
    "TGS",
    "const client id",
    """
secret tgskey = TKey;
secret tgssessionkey;
bool demsgb, demsgd, servervalid, authenticated;
int[0,LIFETIME] lifetime = LIFETIME;
clock tgst;                           // since the Authenticator arrived

void deMsgB() { demsgb = MsgB[id].key == TKey && tgskey == TKey; }
void serverValid() { servervalid = MsgB[id].server_id == Broker; }
void deMsgD() {
    tgssessionkey = MsgB[id].sessionkey;
    demsgd = MsgD[id].key == tgssessionkey;
}
void authen() { authenticated = MsgD[id].client_id == MsgB[id].client_id; }

void sendMsgEF() {
    MsgE[id].key = SKey;
    MsgE[id].sessionkey = CSSessionKey;
    MsgE[id].client_id = id;
    MsgE[id].life = lifetime;
    MsgF[id].key = tgssessionkey;
    MsgF[id].sessionkey = CSSessionKey;
}
""",
    (
        Location("Init", (0, 0)),
        Location("ReceiveBD", (0, 1), "urgent", comment="Decrypting takes no time."),
        Location("GetSessionKeyFromB", (0, 2), "urgent"),
        Location("Authen", (0, 3), "urgent"),
        Location("TgsSendEF", (0, 4), comment="The client has the Ticket."),
        Location("Error", (3, 2.5)),
    ),
    (
        Edge("Init -> ReceiveBD", "clientReqTgs[id]?", update="tgst = 0, deMsgB()", shift=(0, -0.15)),
        Edge("ReceiveBD -> GetSessionKeyFromB", guard="demsgb", update="serverValid(), deMsgD()", shift=(0, -0.1)),
        Edge("ReceiveBD -> Error", "sendError[id]!", "!demsgb", nails=((3, 1),), shift=(-1, -0.35)),
        Edge(
            "GetSessionKeyFromB -> Authen",
            guard="servervalid && demsgd && t <= MsgB[id].life",
            update="authen()",
            shift=(0, -0.1),
        ),
        Edge("GetSessionKeyFromB -> Error", "sendError[id]!", "!(servervalid && demsgd)", shift=(-0.5, -0.5)),
        Edge(
            "GetSessionKeyFromB -> Error", "sendError[id]!", "t > MsgB[id].life", nails=((1.8, 2.5),), shift=(0, 0.05)
        ),
        Edge(
            "Authen -> TgsSendEF",
            "tgsSendMsg[id]!",
            "authenticated && tgst <= lifetime",
            "sendMsgEF()",
            shift=(0, -0.1),
        ),
        Edge("Authen -> Error", "sendError[id]!", "!authenticated", nails=((3, 3),), shift=(-1, 0.05)),
    ),
)
