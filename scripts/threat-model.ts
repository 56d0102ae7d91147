// Who attacks, what they want, what stops them, and the test that shows it. The table in docs/security.md is printed
// from this one; a test looks for every test that is named.

export const ATTACKERS = {
  stranger: 'anybody who reaches the public address',
  member: 'a person with an account in an organization here',
  admin: 'an owner or admin of one organization',
  'token thief': 'whoever got hold of a token or a session',
  'dump thief': 'whoever got hold of a copy of the database',
  run: 'a model, the text that it reads, and the commands that it starts',
  'connected app': 'an app that a workspace is connected to',
  provider: 'the integration provider, or a model provider',
  'neighbour on the machine': 'another user or process of the same machine or network',
} as const;

export type Attacker = keyof typeof ATTACKERS;

export interface Threat {
  readonly attacker: Attacker;
  readonly wants: string;
  readonly stoppedBy: string;
  /** A test file and a piece of the name of a test in it. */
  readonly shownBy: { readonly file: string; readonly test: string };
}

const threat = (attacker: Attacker, wants: string, stoppedBy: string, file: string, test: string): Threat => ({ attacker, wants, stoppedBy, shownBy: { file, test } });

export const THREATS: readonly Threat[] = [
  threat('stranger', 'any answer beyond their authority', 'every route is asked as every kind of caller, and a table justifies each success', 'src/entry/every-route.pg.test.ts', 'has a row for every route, and no row for one that is not there'),
  threat('stranger', 'an account where sign-up is closed', '`SERVICE_SIGN_UP`; an invitation is bound to its address; every refusal is the same', 'src/http/web/entrance.pg.test.ts', 'refuses everybody else alike, and stores nothing'),
  threat('stranger', 'platform credit through many organizations', 'one grant a person, counted under a lock of the person; the grant outlives the organization', 'src/http/web/entrance.pg.test.ts', 'is signup credit for the first organization only, also after that one is gone'),
  threat('stranger', "the whole of the operator's key", '`SERVICE_PLATFORM_MONTHLY_LIMIT_USD`, taken in the admission statement', 'src/enforcement/budget.pg.test.ts', 'is passed by nobody: of many organizations, from three processes, alone and together'),
  threat('stranger', 'to keep the service busy with sign-ups', 'few hashes at once, off the event loop, no transaction open, a line of bounded length; a limit for each network', 'test/flows/password-hashing.test.ts', 'answers everybody else while strangers sign up, and none of the strangers with a fault'),
  threat('stranger', 'to guess a password from many addresses', 'strangers share a few wrong guesses for each account', 'test/flows/password-hashing.test.ts', 'stops forty addresses that guess at one account, but not its person in a browser that they know'),
  threat('stranger', 'to lock a person out', 'browsers that have been in before have an allowance of their own', 'src/identity/guess-limit.test.ts', 'lets the person in from a browser that they know, whatever strangers do'),
  threat('stranger', 'private services, by writing `Host: localhost`', 'the peer must be on the machine too, and carry no claim that it comes from elsewhere', 'test/flows/gateway-process.test.ts', 'rule 3: a request from the network is not addressed to a loopback host, whatever its Host says'),
  threat('stranger', 'a second request smuggled behind the first', 'one reading of every head, bodies framed anew', 'test/flows/gateway-hostile.test.ts', 'frames a body anew, so that nothing after it is taken for a request of the upstream'),
  threat('stranger', 'to pass for another address', 'claims about the address end at the gateway, by one table', 'src/gateway/client-headers.test.ts', 'drops every claim about where the request comes from, however it is spelt'),
  threat('stranger', "a person's browser sent to their own page", 'nobody leaves for a client unless the person, who sees which one asks, sends the browser there', 'test/flows/oauth.test.ts', 'sends nobody on to a client by itself, whoever asks and whatever is wrong'),
  threat('stranger', "a write with a visitor's cookie, from another page", 'the origin is checked; one function reads `Authorization`, and what it cannot read is nobody', 'src/base/authorization.test.ts', 'is the only place of the service that reads the header'),
  threat('stranger', 'an answer that is taken for a page, or shown in a frame', 'headers on every answer of every server', 'src/entry/answer-headers.pg.test.ts', 'of every route of the printed contract, whoever asks'),
  threat('stranger', 'a forged webhook', 'HMAC over the raw bytes, compared in constant time, before anything of them is read', 'src/connections/handle-webhook.pg.test.ts', 'is over the raw bytes, not over what they parse to'),

  threat('member', 'what belongs to another organization', 'an id from there answers as one that never was', 'src/http/web/foreign-ids.pg.test.ts', 'a foreign $parameter is no $parameter at all'),
  threat('member', 'to learn of workspaces that they are not in', 'the same answer as for one that never was, on every route', 'src/http/web/hidden-workspaces.pg.test.ts', 'knows every route that takes a workspace'),
  threat('member', "another organization's tool list, by a cursor or a name", 'keys of caches are encoded, hold organization and workspace, and no words of a caller', 'src/http/mcp/aggregate-tools.test.ts', 'shows every caller the own workspace and nothing else, and what it shows is what can be called'),
  threat('member', "another person's conversation, by the id of a response or an item", 'stored responses are found with organization, workspace and person only; on platform credit the provider stores none, and on a shared key what is known to be of somebody else is not asked for', 'test/flows/stored-responses.test.ts', 'is not there on %s: for another organization, person or workspace'),
  threat('member', 'long input that is charged as a short reference', 'what a reference stands for is put into the request before anything is counted', 'test/flows/stored-responses.test.ts', 'is bounded as what it stands for'),
  threat('member', 'an answer that costs more than is held', 'the limit that was held is sent; fields that change the price are refused unless a table knows them', 'src/providers/bounds/bound-request.test.ts', 'is charged as it is, and within what was held'),
  threat('member', 'input that nobody counts: an address, a file id, a page in a small file', 'references are refused by their place; pages and pictures are counted as the provider counts them', 'src/providers/bounds/count-pdf.test.ts', 'are counted in plain objects, and in compressed ones, whatever the tree claims'),
  threat('member', 'a free answer, by a crash or by leaving', 'a killed call is charged at its input and what was seen; one who leaves pays what was streamed', 'test/flows/chat-processes.test.ts', 'what a killed process had not settled is charged at its input and what was seen of its answer'),
  threat('member', 'to spend a budget twice at once', 'limit, budget and ceiling are taken in one statement', 'src/enforcement/budget.pg.test.ts', 'never overspends: a budget for 77 admits exactly 77 of 200, from three processes'),
  threat('member', 'to point a shared connection at their own account', 'reconnecting what is valid needs authority, at the session and at the webhook', 'src/http/runtime/connection-routes.pg.test.ts', 'members read, connect a new app and reconnect one that is not valid'),
  threat('member', 'to keep the web server busy with a text made to be slow', 'words are found in linear time, on threads that are ended when they take too long', 'src/enforcement/guardrails/find-words.test.ts', 'takes no more steps than the text and the words have characters, whatever they repeat'),
  threat('member', 'all of the machine, by asking much at once', 'every route declares its cost; each cost has a limit, a gate and a queue for each person', 'src/http/gate.test.ts', 'one person has no more under way than the class allows; another is not held up by that'),
  threat('member', 'to wait on a thousand live channels', 'a seat for each, counted by person and kind; one reading for all channels of an organization', 'src/http/runtime/live-channel.pg.test.ts', 'is read once for all channels of its organization, and by nobody in another'),
  threat('member', 'the queue of background runs', 'a number of queued runs for each person, counted in the insert; organizations take turns', 'src/jobs/run-authority.pg.test.ts', 'are never more than allowed, however many are started at once and wherever'),
  threat('member', 'the disk', 'an amount for each organization, counted before anything is stored', 'src/enforcement/storage.pg.test.ts', 'is passed by nobody, however many upload at once, and is free again when attachments go'),
  threat('member', 'to hear on after they were removed', 'one look a second over everything that is open, and one before anything is told', 'src/entry/streams.pg.test.ts', 'ends when $cause, and tells nothing that came after'),

  threat('admin', "members' conversations", 'threads are their owner’s alone, by the query that reads them', 'test/flows/chat-threads.test.ts', 'of somebody else does not exist, whatever is asked of it'),
  threat('admin', 'an organization without an owner, or more seats than the plan', 'the last owner stays; seats are counted under a lock', 'src/tenancy/find-standing.pg.test.ts', 'keeps the last owner, whether removed or demoted, by themself or by another'),
  threat('admin', 'a stored provider key in clear', 'a key that is stored is never answered', 'src/http/web/settings-routes.pg.test.ts', 'is stored sealed; the key never comes back'),
  threat('admin', 'a history without what they did', 'receipts are hash-chained, and cannot be changed in SQL without it showing', 'src/receipts/receipts.pg.test.ts', 'finds every kind of tampering at its index and refuses to replay'),

  threat('token thief', 'to write with a token that reads', 'scopes are asked at every call, at the moment of the call', 'test/flows/tools-call.test.ts', 'needs connect:write for an enabled write, and says so only then'),
  threat('token thief', 'what the token may not do, through a run', 'a run has the scopes that it was started with, and the capabilities that it names', 'test/flows/runs-authority.test.ts', 'does not reach connected apps with a token for runs alone, named or not'),
  threat('token thief', 'runs that outlive the token', 'revoking it, its grant or the membership aborts them', 'src/jobs/run-authority.pg.test.ts', 'is aborted with one final receipt that says why, queued or running'),
  threat('token thief', 'to stay in after the password was changed', 'sessions, tokens, grants and device codes end with it, in one transaction', 'test/flows/end-access.test.ts', 'ends everything with %s'),
  threat('token thief', 'to use a refresh token or a code again', 'a second use ends the grant with everything that came of it', 'test/flows/oauth.test.ts', 'ends everything that came of a code when it is used again'),

  threat('dump thief', 'to sign in with what is in the database', 'sessions, codes and handles are kept as digests', 'test/flows/database-copy.test.ts', 'finds nothing in a copy of the database that opens anything'),
  threat('dump thief', 'stored responses', 'AES-256-GCM under a key that is not in the database, bound to organization, workspace, person and id', 'src/chat/stored/stored-responses.pg.test.ts', "does not open as another person's, under another id"),
  threat('dump thief', 'provider keys and references', 'AES-256-GCM under keys that are not in the database, each bound to its row', 'src/base/seal.test.ts', 'opens with the same key and row only'),

  threat('run', 'out of the sandbox', 'namespaces, seccomp, no capabilities, no files of the host, no network', 'test/flows/sandbox-escape.test.ts', 'is closed: $name'),
  threat('run', 'all of the machine', 'limits of memory, processes, disk and time, by the strongest means at hand', 'test/flows/sandbox-limits.test.ts', 'ends what uses more memory than it may'),
  threat('run', 'an app or an account that it was not given', 'the token and the accounts are those of the capabilities that it names', 'src/jobs/engines/cloud-config/prepare-clients.pg.test.ts', 'are those that the run names, and no host is open for the others'),
  threat('run', 'a write through a broker that reads', 'GraphQL is read by the reference parser and written anew', 'src/sandbox/egress/read-only-query.test.ts', 'lets nothing through that a server would write for, and what it lets through is answered alike'),
  threat('run', 'another method than its rule names', 'headers, parameters and forms that change the method are dropped or refused', 'src/sandbox/egress/override-request.test.ts', 'is so by a header: %s'),
  threat('run', "a server of the attacker's beneath a cloud's name", 'a table of the hosts that an account needs', 'src/jobs/engines/cloud-config/cloud-hosts.test.ts', 'are no others: %s'),
  threat('run', 'a credential, in what it is answered', 'credentials are added outside, and scrubbed from what comes back', 'src/sandbox/egress/scrub-secrets.test.ts', 'is clean wherever the pieces are cut, and otherwise unchanged'),

  threat('connected app', 'to lead a call elsewhere, or never to end it', 'no redirects, a size, a time', 'src/nango/send-request.test.ts', 'refuses what is larger than the cap: announced, streamed, or once decoded'),
  threat('connected app', "its own error taken for the integration provider's", 'decided by who wrote the answer, not by what it says', 'src/tools/own-faults.test.ts', 'an error that came with the headers of an app is the app’s, whatever it says'),
  threat('connected app', 'a path outside of its interface', 'paths are refused after up to ten rounds of decoding', 'src/tools/parse-resource-path.test.ts', 'leaves its origin or its base, read the way that %s'),

  threat('provider', 'a connection destroyed or revived by an old message', 'a message is judged by what is stored and by what the provider says now; removals are remembered', 'src/connections/webhook-order.pg.test.ts', 'holds for every order'),
  threat('provider', 'our cookie and our tokens', 'the gateway keeps them from what is not ours', 'src/gateway/own-credentials.test.ts', 'hold none of our credentials, however they are written and wherever they stand'),
  threat('provider', 'to charge for what was not asked', 'no more is charged than was held', 'src/enforcement/budget.pg.test.ts', 'charges what was used and never more than was held, once, however often it is sent'),

  threat('neighbour on the machine', "other people's runs, by polling the broker", 'the broker asks everybody for its token, and does not start without one', 'test/flows/stack.test.ts', 'lets no other user of the machine take runs: the broker asks everybody for its token'),
  threat('neighbour on the machine', 'the embedded database', 'a password, the loopback only, and a role that is no superuser', 'src/postgres/prepare-roles.pg.test.ts', 'keep the machine from the service: its files, its programs, its settings, other roles and databases'),
  threat('neighbour on the machine', 'a secret, from the environment of a process', 'each part is given the secrets that it reads and no other', 'test/flows/stack.test.ts', 'hands each secret to the processes that read it and to no other'),
  threat('neighbour on the machine', 'the invented secrets', 'files for their owner alone', 'src/stack/secrets-file.test.ts', 'comes back as it was written, for its owner alone, with nothing left beside it'),
];
