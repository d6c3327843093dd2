import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  ConversationAnswer,
  ConversationBegun,
  ConversationBrief,
  InboxConversation,
  InboxCounts,
  InboxRow,
  SupportDesk,
} from '@moorage/contracts';
import { CONSTANTS, DAY_MS, HOUR_MS, MINUTE_MS } from '@moorage/domain';
import { ordered, neighbours, type Neighbours } from '@moorage/tests/services/api/deployments';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { DueWarnings } from './due-warnings.service';

let api: ApiHarness;
let admin: TestAccount;
let user: TestAccount;
let others: Neighbours;
beforeAll(async () => {
  api = await apiHarness();
  admin = await api.admin();
  user = await api.user();
  others = await neighbours(api);
});
afterAll(() => api.close());

type Auth = Pick<TestAccount, 'auth'>;
type Visitor = { readonly auth: Readonly<Record<string, string>> };
const VISITOR: Visitor = { auth: {} };
const WORDS = { name: 'Jane', email: 'jane@example.org', subject: 'A question', message: 'How do I pay?' };

async function begun(who: Visitor = user, more: object = {}): Promise<number> {
  const { status, body, text } = await api.http
    .post('/api/support/contact')
    .set(who.auth)
    .send({ ...WORDS, ...more });
  if (status !== 201) throw new Error(text);
  return (body as ConversationBegun).conversation_id ?? newest();
}
async function newest(): Promise<number> {
  const [row] = await api.database.sql<{ id: number }>('select max(id) as id from support_messages');
  return row?.id ?? 0;
}
const get = (path: string, who: Auth = user) => api.http.get(`/api/support${path}`).set(who.auth);
const post = (path: string, body: object = {}, who: Visitor = user) =>
  api.http.post(`/api/support${path}`).set(who.auth).send(body);
const put = (path: string, body: object, who: Auth = admin) =>
  api.http.put(`/api/support${path}`).set(who.auth).send(body);
const reply = (id: number, message: unknown, who: Auth = user) =>
  post(`/conversations/${id}/messages`, { message }, who);
const answer = (id: number, message: unknown, who: Auth = admin) =>
  post(`/admin/conversations/${id}/answers`, { message }, who);
const note = (id: number, message: unknown, who: Auth = admin) =>
  post(`/admin/conversations/${id}/notes`, { message }, who);
const read = async (id: number, who: Auth = user) =>
  (await get(`/conversations/${id}`, who)).body as ConversationAnswer;
const seen = async (id: number) => (await get(`/admin/conversations/${id}`, admin)).body as InboxConversation;
const inbox = async (query: object = {}) =>
  ((await get('/admin/conversations', admin).query(query)).body as { conversations: InboxRow[] }).conversations;
const outcome = ({ status, body }: { status: number; body: unknown }) => [status, (body as { detail: string }).detail];
const timeline = ({ entries }: { entries: readonly { by: string; what: string; message: string }[] }) =>
  entries.map(({ by, what, message }) => `${by} ${what} ${message}`.trim());
async function mailTo(email: string, subject: string): Promise<{ subject: string; text: string }> {
  await api.run();
  const found = (await api.mailsTo(email)).find((mail) => mail.subject.includes(subject));
  if (found === undefined) throw new Error(`no mail "${subject}" to ${email}`);
  return found;
}
/** Returns the unfolded text, because line breaks have no meaning here. */
const flat = ({ text }: { text: string }) => text.replace(/\s+/g, ' ');

/** Creates an account with a running deployment of this level. */
async function customer(level: 1 | 2 | 3): Promise<TestAccount & { deployment: number }> {
  const account = await api.user();
  await api.pay(account, 5_000);
  const { id } = await ordered(api, account, { support_level: level, domain: `d${account.id}.example.com` });
  return { ...account, deployment: id };
}

describe('conversation', () => {
  it('goes from question to reply, is closed and reopened, with the same messages on both sides', async () => {
    const id = await begun();
    expect(await read(id)).toMatchObject({ state: 'open', subject: 'A question', due_at: null, deployment: null });
    expect((await answer(id, 'By card.\r\nOr not.')).status).toBe(201);
    expect(await read(id)).toMatchObject({ state: 'answered' });
    const thread = (await reply(id, 'Thank you')).body as ConversationAnswer;
    expect([thread.state, timeline(thread)]).toEqual([
      'open',
      ['person message How do I pay?', 'support message By card.\nOr not.', 'person message Thank you'],
    ]);
    expect(((await post(`/conversations/${id}/close`)).body as ConversationAnswer).state).toBe('closed');
    // Closing is idempotent.
    expect(timeline((await post(`/conversations/${id}/close`)).body as ConversationAnswer).at(-1)).toBe(
      'person closed',
    );
    expect(((await reply(id, 'One more thing')).body as ConversationAnswer).state).toBe('open');
    expect(timeline(await seen(id))).toEqual(timeline(await read(id)));
    expect(((await post(`/admin/conversations/${id}/close`, {}, admin)).body as InboxConversation).state).toBe(
      'closed',
    );
    // A reply to a closed conversation.
    expect(((await answer(id, 'Late')).body as InboxConversation).state).toBe('answered');
  });

  it('emails replies in the language of its writer, and further messages to support', async () => {
    const account = await api.user();
    await api.http.put('/api/users/self/language').set(account.auth).send({ language: 'de' });
    const id = await begun(account, { email: account.email, subject: 'Frage' });
    expect(flat(await mailTo(account.email, 'Ihre Nachricht ist eingegangen: Frage'))).toContain(
      `http://moorage.test/support?conversation=${id}`,
    );
    await answer(id, 'Mit Karte.');
    const mail = await mailTo(account.email, 'Re: Frage');
    expect(flat(mail)).toContain(`Mit Karte. Antworten Sie hier. E-Mails an diese Adresse lesen wir nicht:`);
    await reply(id, 'Danke', account);
    // Sent to the administrator who replied.
    expect(flat(await mailTo(admin.email, '[Moorage support] Re: Frage'))).toContain(
      `Danke Level 1 Answer here, not by email: http://moorage.test/support-inbox/${id}`,
    );
  });

  it('is not found for other users when reading, writing and closing', async () => {
    const id = await begun();
    const stranger = await api.user();
    const before = await read(id);
    for (const refused of [
      await get(`/conversations/${id}`, stranger),
      await reply(id, 'Mine?', stranger),
      await post(`/conversations/${id}/close`, {}, stranger),
      // Not even administrators can read it there.
      await get(`/conversations/${id}`, admin),
    ])
      expect(outcome(refused)).toEqual([404, 'There is no such conversation.']);
    expect(await read(id)).toEqual(before);
    expect(((await get('/conversations', stranger)).body as { conversations: object[] }).conversations).toEqual([]);
    for (const path of [`/admin/conversations/${id}`, '/admin/conversations', '/admin/counts', '/admin/staff'])
      expect((await get(path, stranger)).status).toBe(403);
    expect((await answer(id, 'I am the support', stranger)).status).toBe(403);
  });

  it('is listed for its account, most recently active first, in pages', async () => {
    const account = await api.user();
    const ids: number[] = [];
    for (let count = 0; count < CONSTANTS.conversationsPerPage + 1; count++) ids.push(await begun(account));
    await reply(ids[0] ?? 0, 'Still there?', account);
    const page = async (number: number) =>
      (await get('/conversations', account).query({ page: number })).body as {
        conversations: ConversationBrief[];
        total_pages: number;
      };
    expect((await page(1)).total_pages).toBe(2);
    expect((await page(1)).conversations[0]?.id).toBe(ids[0]);
    expect((await page(2)).conversations.map(({ id }) => id)).toEqual([ids[1]]);
  });

  it.each([
    ['nothing', undefined],
    ['blanks', ' \n '],
    ['a number', 7],
    ['too much', 'x'.repeat(5_001)],
    ['something invisible', 'a\u202eb'],
  ])('rejects a message from either side: %s', async (_, message) => {
    const id = await begun();
    const before = await seen(id);
    for (const refused of [await reply(id, message), await answer(id, message), await note(id, message)])
      expect(refused.status).toBe(422);
    expect(await seen(id)).toEqual(before);
  });

  it('accepts no more messages once it is too long, and can still be closed', async () => {
    const id = await begun();
    await api.database.sql('update support_messages set entries = $2 where id = $1', [
      id,
      CONSTANTS.conversationEntriesMax,
    ]);
    expect((await read(id)).is_full).toBe(true);
    for (const refused of [await reply(id, 'More'), await answer(id, 'More'), await note(id, 'More')])
      expect(outcome(refused)).toEqual([409, 'This conversation has become too long. Please start a new one.']);
    expect(((await post(`/conversations/${id}/close`)).body as ConversationAnswer).state).toBe('closed');
  });

  it('sanitises a subject that would break an email header', async () => {
    const id = await begun();
    await api.database.sql(`update support_messages set subject = E'Hello\\r\\nBcc: all@example.com' where id = $1`, [
      id,
    ]);
    await answer(id, 'Hello').expect(201);
    expect(await mailTo(user.email, 'Hello Bcc')).toMatchObject({ subject: 'Re: Hello Bcc: all@example.com' });
    expect(await api.mailsTo('all@example.com')).toEqual([]);
  });
});

describe('message about a deployment', () => {
  it('includes its timeline and no secret', async () => {
    const account = await customer(2);
    await others.moveTo(account.deployment, 'PROVISIONING');
    const { secrets, db } = api.deps;
    await db.tx('test.secret', (tx) => secrets.put(tx, `deployment:${account.deployment}`, 'KEY', 'canary-1'));
    await api.database.sql(
      `update deployments set config = '{"KEY": "canary-2"}', user_ssh_key = 'canary-3', postgres_user = 'canary-4' where id = $1`,
      [account.deployment],
    );
    const id = await begun(account, { deployment_id: account.deployment });
    const { context, deployment } = await seen(id);
    expect(deployment).toEqual({ id: account.deployment, client_name: context?.client_name });
    expect(context).toMatchObject({ package: 'pangolin', status: 'PROVISIONING', support_level: 2 });
    expect(context?.steps.map(({ name }) => name)).toContain('created');
    expect(JSON.stringify(context)).not.toMatch(/canary|password|secret|token/i);
    expect(await read(id, account)).not.toHaveProperty('context');
    expect(flat(await mailTo('support@moorage.test', '[Moorage support] A question'))).toContain(
      `Deployment: #${account.deployment} ${context?.client_name}, PROVISIONING Level 2`,
    );
  });

  it('is rejected and not stored for another user’s deployment', async () => {
    const account = await customer(1);
    const before = await newest();
    const refused = await post('/contact', { ...WORDS, deployment_id: account.deployment });
    expect(refused.status).toBe(404);
    expect(await newest()).toBe(before);
    // Visitors have no deployments, so the id they send is ignored.
    expect((await seen(await begun(VISITOR, { deployment_id: account.deployment }))).deployment).toBeNull();
  });
});

describe('support level', () => {
  it('is that of the deployment, else the highest of the account, and sets the reply deadline', async () => {
    const account = await customer(3);
    const small = await ordered(api, account, { support_level: 2, domain: `small${account.id}.example.com` });
    const about = await seen(await begun(account, { deployment_id: small.id }));
    expect(about.level).toBe(2);
    const other = await seen(await begun(account));
    expect([other.level, Date.parse(other.due_at ?? '') - Date.parse(other.created_at)]).toEqual([3, 4 * HOUR_MS]);
    expect((await read(other.id, account)).due_at).toBe(other.due_at);
    expect((await get('/desk', account)).body).toEqual({
      level: 3,
      answered_within_hours: 4,
      counts_working_days_only: false,
      hours: 'Mon-Fri 09:00-17:00',
      time_zone: 'UTC',
      phone: '+49 30 1234567',
      success_manager: { name: 'Sam Manager', email: 'sam@moorage.test' },
    });
  });

  it('is that of the remaining deployments when the deployment is gone', async () => {
    const account = await customer(3);
    await others.moveTo(account.deployment, 'PROVISIONING', 'ACTIVE');
    await api.http.delete(`/api/deployments/${account.deployment}`).set(account.auth).expect(200);
    await others.moveTo(account.deployment, 'DESTROYED');
    const gone = await seen(await begun(account, { deployment_id: account.deployment }));
    expect([gone.level, gone.due_at, gone.deployment?.id]).toEqual([1, null, account.deployment]);
    await ordered(api, account, { support_level: 2, domain: `left${account.id}.example.com` });
    expect((await seen(await begun(account, { deployment_id: account.deployment }))).level).toBe(2);
  });

  it('1 has no reply deadline and no phone number', async () => {
    const desk = (await get('/desk', await customer(1))).body as SupportDesk;
    expect(desk).toMatchObject({ level: 1, answered_within_hours: null, phone: null, success_manager: null });
    expect((await seen(await begun(VISITOR))).level).toBe(1);
  });

  it('counts from the first unanswered message and is determined again for each', async () => {
    const account = await customer(2);
    const id = await begun(account, { deployment_id: account.deployment });
    const first = await seen(id);
    api.pass(MINUTE_MS);
    await reply(id, 'Hello?', account);
    expect((await seen(id)).due_at).toBe(first.due_at);
    await api.database.sql('update deployments set support_level = 3 where id = $1', [account.deployment]);
    await reply(id, 'Hello!', account);
    const raised = await seen(id);
    expect(Date.parse(raised.due_at ?? '') - Date.parse(first.created_at)).toBe(4 * HOUR_MS);
    await answer(id, 'Here');
    expect(await seen(id)).toMatchObject({ due_at: null, waiting_since: null, is_overdue: false });
  });
});

describe('inbox', () => {
  it('sorts by earliest deadline, then by longest wait', async () => {
    await api.database.sql(
      `update support_messages set state = 'closed', waiting_since = null, due_at = null, warn_at = null`,
    );
    const [none, two, three] = [user, await customer(2), await customer(3)];
    const ids = [await begun(none), await begun(two), await begun(three), await begun(VISITOR)];
    expect((await inbox()).map(({ id }) => id)).toEqual([ids[2], ids[1], ids[0], ids[3]]);
    expect((await get('/admin/counts', admin)).body).toEqual({
      open: 4,
      unassigned: 4,
      mine: 0,
      due_soon: 0,
      overdue: 0,
    } satisfies InboxCounts);
  });

  it('is filtered by kind, level, account, assignee and text', async () => {
    const account = await customer(2);
    const requested = await api.http
      .post('/api/deployments/package-request')
      .set(account.auth)
      .send({ package_name: '100% Nextcloud', reason: 'Files' });
    const id = (requested.body as ConversationBegun).conversation_id ?? 0;
    const found = async (query: object) => (await inbox(query)).some((row) => row.id === id);
    expect(await seen(id)).toMatchObject({ kind: 'package', subject: '100% Nextcloud', account: { id: account.id } });
    expect(flat(await mailTo(account.email, '100% Nextcloud'))).toContain('We received your message');
    for (const [query, expected] of [
      [{ kind: 'package' }, true],
      [{ kind: 'contact' }, false],
      [{ level: '2' }, true],
      [{ level: '3' }, false],
      [{ user_id: account.id }, true],
      [{ user_id: user.id }, false],
      [{ search: '100% next' }, true],
      [{ search: '100_' }, false],
      [{ search: account.email }, true],
      [{ assigned_to: 'nobody' }, true],
      [{ assigned_to: 'me' }, false],
      [{ state: 'closed' }, false],
    ] as const)
      expect([query, await found(query)]).toEqual([query, expected]);
    expect((await put(`/admin/conversations/${id}/assignee`, { user_id: admin.id })).body).toMatchObject({
      assignee: { id: admin.id, username: admin.username },
    });
    expect(await found({ assigned_to: 'me' })).toBe(true);
    expect((await put(`/admin/conversations/${id}/assignee`, { user_id: null })).body).toMatchObject({
      assignee: null,
    });
    for (const query of [{ state: 'lost' }, { level: '4' }, { page: '0' }, { user_id: 'x' }, { assigned_to: 'you' }])
      expect((await get('/admin/conversations', admin).query(query)).status).toBe(422);
  });

  it('assigns to administrators only', async () => {
    const id = await begun();
    expect(outcome(await put(`/admin/conversations/${id}/assignee`, { user_id: user.id }))).toEqual([
      404,
      'Conversations can be assigned to administrators only.',
    ]);
    expect((await put(`/admin/conversations/${id}/assignee`, {})).status).toBe(422);
    expect((await put('/admin/conversations/999999/assignee', { user_id: null })).status).toBe(404);
    expect((await seen(id)).assignee).toBeNull();
    const staff = (await get('/admin/staff', admin)).body as { id: number }[];
    expect(staff.map((each) => each.id)).toContain(admin.id);
    expect(staff.map((each) => each.id)).not.toContain(user.id);
  });

  it('hides internal notes from the customer, in the console and in emails', async () => {
    const id = await begun(user, { email: user.email, subject: 'Of notes' });
    expect(timeline((await note(id, 'Is he serious?')).body as InboxConversation).at(-1)).toBe(
      'support note Is he serious?',
    );
    expect((await seen(id)).entries.at(-1)).toMatchObject({ author: { id: admin.id } });
    await answer(id, 'Yes.');
    expect(timeline(await read(id))).toEqual(['person message How do I pay?', 'support message Yes.']);
    expect(JSON.stringify(await read(id))).not.toContain(admin.username);
    await api.run();
    expect(JSON.stringify(await api.mailsTo(user.email))).not.toContain('serious');
    // A note is not a reply.
    expect((await seen(await begun())).state).toBe('open');
  });

  it('stores both replies when two administrators reply to the same message', async () => {
    const id = await begun();
    const second = await api.admin();
    expect((await Promise.all([answer(id, 'One'), answer(id, 'Two', second)])).map(({ status }) => status)).toEqual([
      201, 201,
    ]);
    expect(
      timeline(await read(id))
        .slice(1)
        .sort(),
    ).toEqual(['support message One', 'support message Two']);
  });
});

describe('message sent again with its key', () => {
  const again = (path: string, body: object, who: Visitor) =>
    api.http
      .post(`/api/support${path}`)
      .set({ ...who.auth, 'idempotency-key': 'sent-again' })
      .send(body);
  const acts = (id: number) =>
    api.database.sql(`select action from audit_records where subject = $1 order by id`, [`conversation:${id}`]);

  it('is stored, emailed and audited once', async () => {
    const person = await api.user();
    const id = await begun(person, { email: person.email, subject: 'A lost answer' });
    await api.run();
    const mails = (await api.mailsTo(person.email)).length;
    const recorded = (await acts(id)).length;
    const path = `/admin/conversations/${id}/answers`;
    const first = await again(path, { message: 'By card.' }, admin);
    const second = await again(path, { message: 'By card.' }, admin);
    expect([second.status, second.body]).toEqual([first.status, first.body]);
    await api.run();
    expect(await api.mailsTo(person.email)).toHaveLength(mails + 1);
    expect(await acts(id)).toHaveLength(recorded + 1);
    expect(timeline(await read(id, person))).toEqual(['person message How do I pay?', 'support message By card.']);
  });

  it('gets its response even after the conversation is full', async () => {
    const id = await begun();
    await api.database.sql('update support_messages set entries = $2 where id = $1', [
      id,
      CONSTANTS.conversationEntriesMax - 1,
    ]);
    const path = `/conversations/${id}/messages`;
    expect((await again(path, { message: 'The last one' }, user)).status).toBe(201);
    expect((await again(path, { message: 'The last one' }, user)).body).toMatchObject({ is_full: true });
    expect((await reply(id, 'One more')).status).toBe(409);
  });

  it('does not conflict with the same key of another user or another conversation', async () => {
    const [id, other] = [await begun(), await begun()];
    expect((await again(`/conversations/${id}/messages`, { message: 'Yes' }, user)).status).toBe(201);
    expect((await again(`/conversations/${other}/messages`, { message: 'No' }, user)).status).toBe(201);
    expect((await again(`/admin/conversations/${id}/answers`, { message: 'Fine' }, admin)).status).toBe(201);
    // A note is not a reply.
    const note = await again(`/admin/conversations/${id}/notes`, { message: 'Fine' }, admin);
    expect([note.status, (note.body as { code: string }).code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(timeline(await seen(id)).slice(1)).toEqual(['person message Yes', 'support message Fine']);
  });
});

describe('approaching reply deadline', () => {
  it('warns the assignee once, then marks the conversation as late', async () => {
    const account = await customer(3);
    const id = await begun(account, { subject: 'Urgent' });
    const warn = () => api.api.app.get(DueWarnings).run();
    await put(`/admin/conversations/${id}/assignee`, { user_id: admin.id });
    await warn();
    expect(await seen(id)).toMatchObject({ is_due_soon: false, is_overdue: false });
    api.pass(3 * HOUR_MS + MINUTE_MS);
    expect(await seen(id)).toMatchObject({ is_due_soon: true, is_overdue: false });
    await warn();
    await warn();
    await api.run();
    const mails = (await api.mailsTo(admin.email)).filter(
      ({ subject }) => subject === '[Moorage support] Due soon: Urgent',
    );
    expect(mails).toHaveLength(1);
    // The customer adds a message, and no second warning is sent.
    await reply(id, 'Please', account);
    await warn();
    await api.run();
    expect((await api.mailsTo(admin.email)).filter(({ subject }) => subject.includes('Due soon: Urgent'))).toHaveLength(
      1,
    );
    api.pass(HOUR_MS);
    expect(await seen(id)).toMatchObject({ is_due_soon: false, is_overdue: true });
    expect(((await get('/admin/counts', admin)).body as InboxCounts).overdue).toBeGreaterThan(0);
    await answer(id, 'Done');
    expect(await seen(id)).toMatchObject({ is_overdue: false });
  });
});

describe('visitor', () => {
  async function link(email: string, subject: string): Promise<string> {
    const token = /\/conversation#(\S+)/.exec((await mailTo(email, subject)).text)?.[1];
    if (token === undefined) throw new Error('the mail has no link');
    return token;
  }

  it('reads and replies through a private link', async () => {
    const id = await begun(VISITOR, { email: 'visitor@example.org' });
    const confirmation = await mailTo('visitor@example.org', 'Your message to Moorage');
    // Any address can be entered in the form, so nothing of the message is sent there.
    expect(flat(confirmation)).not.toMatch(/A question|How do I pay/);
    const token = await link('visitor@example.org', 'Your message to Moorage');
    expect((await post('/visits', { token }, VISITOR)).body).toMatchObject({ id, state: 'open' });
    await answer(id, 'By card.');
    expect(flat(await mailTo('visitor@example.org', 'Answer to your message'))).toContain('By card.');
    const second = await link('visitor@example.org', 'Answer to your message');
    const thread = (await post('/visits/messages', { token: second, message: 'Thanks' }, VISITOR)).body;
    expect(timeline(thread as ConversationAnswer).at(-1)).toBe('person message Thanks');
    // It cannot be read in an account, not even in one with this address.
    expect((await get(`/conversations/${id}`)).status).toBe(404);
  });

  it.each([
    ['no link', undefined, 422],
    ['half a link', 'test.abc', 422],
    ['a forged link', `test.${'A'.repeat(60)}`, 404],
  ])('gets nothing with %s', async (_, token, status) => {
    for (const refused of [
      await post('/visits', { token }, VISITOR),
      await post('/visits/messages', { token, message: 'Hello' }, VISITOR),
    ]) {
      expect(refused.status).toBe(status);
      expect(JSON.stringify(refused.body)).toContain("This link doesn't lead to a conversation.");
    }
  });

  it('has to write a new message once the conversation is closed or inactive for 90 days', async () => {
    const id = await begun(VISITOR, { email: 'late@example.org' });
    const token = await link('late@example.org', 'Your message');
    const ended = [404, expect.stringContaining('This link has expired.')];
    await post(`/admin/conversations/${id}/close`, {}, admin).expect(200);
    expect(outcome(await post('/visits', { token }, VISITOR))).toEqual(ended);
    expect(outcome(await post('/visits/messages', { token, message: 'Hello' }, VISITOR))).toEqual(ended);
    // A reply reopens it.
    await answer(id, 'One more thing');
    expect((await post('/visits', { token }, VISITOR)).status).toBe(200);
    await api.database.sql(`update support_messages set last_at = last_at - interval '90 days' where id = $1`, [id]);
    expect(outcome(await post('/visits', { token }, VISITOR))).toEqual(ended);
    // Emails and accounts are unaffected.
    expect((await answer(id, 'Still here')).status).toBe(201);
  });

  it('gets a message that the link is invalid when the conversation is gone', async () => {
    const id = await begun(VISITOR, { email: 'gone@example.org' });
    const token = await link('gone@example.org', 'Your message');
    await api.database.sql('delete from support_messages where id = $1', [id]);
    expect((await post('/visits', { token }, VISITOR)).status).toBe(404);
  });

  it('cannot use the form to send unlimited emails', async () => {
    for (let count = 0; count < 6; count++) await begun(VISITOR, { email: 'victim@example.org' });
    await api.run();
    expect(await api.mailsTo('victim@example.org')).toHaveLength(3);
    api.pass(DAY_MS);
  });
});
