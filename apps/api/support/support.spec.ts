import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Retirement } from '@moorage/database';
import { DAY_MS } from '@moorage/domain';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

let api: ApiHarness;
let account: TestAccount;
beforeAll(async () => {
  api = await apiHarness();
  account = await api.user();
});
afterAll(() => api.close());

const WORDS = { name: 'Jane', email: 'jane@example.org', subject: 'A question', message: 'Line one\r\nline two' };
const contact = (body: unknown, auth: Record<string, string> = {}) =>
  api.http
    .post('/api/support/contact')
    .set(auth)
    .send(body as object);
const request = (body: unknown, auth: Record<string, string> = account.auth) =>
  api.http
    .post('/api/deployments/package-request')
    .set(auth)
    .send(body as object);
const storedMessages = () =>
  api.database.sql<Record<string, unknown>>(
    'select kind, user_id, name, email, subject, message, host(ip_address) as ip from support_messages order by id',
  );
/** Returns the emails to support with this text in the subject. */
const mailed = async (subject: string) => {
  await api.run();
  return (await api.mailsTo(api.settings.brand.supportEmail)).filter((mail) => mail.subject.includes(subject));
};

describe('message to support', () => {
  it('is stored and emailed once for a visitor', async () => {
    const { status, body } = await contact(WORDS);
    expect([status, body]).toMatchObject([
      201,
      { message: "Support request sent successfully! We'll get back to you soon." },
    ]);
    expect((await storedMessages()).at(-1)).toEqual({
      kind: 'contact',
      user_id: null,
      ...WORDS,
      message: 'Line one\nline two',
      ip: '127.0.0.1',
    });
    const [mail, ...more] = await mailed('A question');
    expect(more).toEqual([]);
    for (const part of ['Jane', 'jane@example.org', 'Line one', 'line two']) expect(mail?.text).toContain(part);
  });

  it('names the user and is confirmed to the account address, whatever address was entered', async () => {
    await contact({ ...WORDS, subject: 'Signed in' }, account.auth);
    expect((await storedMessages()).at(-1)).toMatchObject({ user_id: account.id, email: account.email });
    await api.run();
    const subjects = async (email: string) => (await api.mailsTo(email)).map(({ subject }) => subject);
    expect(await subjects(account.email)).toContain('We received your message: Signed in');
    expect((await subjects('jane@example.org')).filter((subject) => subject.includes('Signed in'))).toEqual([]);
    expect((await mailed('Signed in'))[0]?.text).toContain(`account ${account.id}`);
  });

  it('is treated as a visitor’s with an invalid token', async () => {
    expect((await contact(WORDS, { authorization: 'Bearer nonsense' })).status).toBe(201);
    expect((await storedMessages()).at(-1)).toMatchObject({ user_id: null });
  });

  it.each<[string, object]>([
    ['no name', { name: undefined }],
    ['an empty name', { name: '  ' }],
    ['no email', { email: undefined }],
    ['an invalid email', { email: 'jane' }],
    ['two emails', { email: 'a@example.com, b@example.com' }],
    ['no subject', { subject: '' }],
    ['a subject of two lines', { subject: 'Hello\nBcc: all@example.com' }],
    ['no message', { message: ' \n ' }],
    ['a message that is too long', { message: 'x'.repeat(5_001) }],
    ['a message with NUL', { message: 'a\u0000b' }],
    ['a message with direction overrides', { message: 'a\u202eb' }],
    ['a list as message', { message: ['hello'] }],
    ['an object as name', { name: { $ne: '' } }],
  ])('is rejected and not stored with %s', async (_, change) => {
    const before = await storedMessages();
    const { status, body } = await contact({ ...WORDS, ...change });
    expect([status, (body as { code: string }).code]).toEqual([422, 'FIELDS_INVALID']);
    expect((body as { errors: object[] }).errors.length).toBeGreaterThan(0);
    expect(await storedMessages()).toEqual(before);
  });

  it.each([
    ['emoji of several parts', 'Thanks 👩\u200d💻'],
    ['Persian', 'من می\u200cخواهم'],
    ['Hindi', 'क्\u200dष'],
    ['Hebrew beside Latin letters', 'שלום\u200e (Moorage)'],
  ])('can contain %s', async (_, written) => {
    expect((await contact({ ...WORDS, subject: written, message: written, name: written })).status).toBe(201);
    expect(await api.database.sql('select name, subject from support_messages order by id desc limit 1')).toEqual([
      { name: written, subject: written },
    ]);
  });

  it('drops meaningless characters of pasted text', async () => {
    expect((await contact({ ...WORDS, subject: '\ufeffIn\u200bvoice' })).status).toBe(201);
    const [row] = await api.database.sql('select subject from support_messages order by id desc limit 1');
    expect(row).toEqual({ subject: 'Invoice' });
  });

  it('is rate limited', async () => {
    const strict = await apiHarness({ beside: api, settings: { limits: undefined } });
    const answers: number[] = [];
    for (let time = 0; time < 11; time++)
      answers.push((await strict.http.post('/api/support/contact').send(WORDS)).status);
    expect(answers.at(-1)).toBe(429);
    await strict.close();
  });

  it('is deleted a year after the last message', async () => {
    await contact({ ...WORDS, subject: 'Long ago' });
    await api.database.sql(`update support_messages set last_at = last_at - interval '366 days'`);
    const [fresh] = (await contact(WORDS)).status === 201 ? await storedMessages().then((rows) => rows.slice(-1)) : [];
    await new Retirement({ ...api.deps, service: 'api' }).tick();
    expect(await storedMessages()).toEqual([fresh]);
    api.pass(DAY_MS);
  });
});

describe('package request', () => {
  it('is stored with its account and emailed', async () => {
    const { status, body } = await request({ package_name: ' Nextcloud ', reason: ' Files. ' });
    expect([status, body]).toMatchObject([201, { message: 'Request submitted successfully!' }]);
    expect((await storedMessages()).at(-1)).toMatchObject({
      kind: 'package',
      user_id: account.id,
      name: account.username,
      email: account.email,
      subject: 'Nextcloud',
      message: 'Files.',
    });
    expect((await mailed('Nextcloud'))[0]?.text).toContain('Files.');
  });

  it.each<[string, object]>([
    ['no name', { package_name: '' }],
    ['no reason', { reason: '   ' }],
    ['neither', { package_name: undefined, reason: null }],
  ])('returns the specified messages with %s', async (_, change) => {
    const { status, body } = await request({ package_name: 'Nextcloud', reason: 'Files', ...change });
    expect([status, (body as { detail: string }).detail]).toEqual([422, 'Please fill in both fields']);
  });

  it('requires a login', async () => {
    expect((await request({ package_name: 'a', reason: 'b' }, {})).status).toBe(401);
  });
});
