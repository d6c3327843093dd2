import { describe, expect, it } from '@jest/globals';
import { LOG_LINE_LENGTH_MAX, MASK, masker } from './masking';

const PASSWORD = 'k9"/Ä pass\\w&rd!';
const KEY_LINES = ['MIIEowIBAAKCAQEAx3', 'c2hvcnQ='];
const KEY = ['-----BEGIN RSA PRIVATE KEY-----', ...KEY_LINES, '-----END RSA PRIVATE KEY-----'];

const one = (text: string, secrets: readonly string[] = []): string => masker(secrets).mask('app', text);

describe('secrets of a deployment', () => {
  const escapedOnce = JSON.stringify(PASSWORD);
  it.each([
    ['as they are', `login with ${PASSWORD} refused`, `login with ${MASK} refused`],
    ['in JSON', `{"it":${escapedOnce}}`, `{"it":"${MASK}"}`],
    ['in JSON with escaped slashes', `{"it":${escapedOnce.replace('/', '\\/')}}`, `{"it":"${MASK}"}`],
    ['in JSON within JSON', JSON.stringify(`{"it":${escapedOnce}}`), String.raw`"{\"it\":\"${MASK}\"}"`],
    ['encoded in a URL', `GET /?it=${encodeURIComponent(PASSWORD)}`, `GET /?it=${MASK}`],
    ['encoded in a form', `it=${encodeURIComponent(PASSWORD).replaceAll('%20', '+')}&x=1`, `it=${MASK}&x=1`],
    [
      'encoded in lower case',
      `it=${encodeURIComponent(PASSWORD).replace(/%../g, (c) => c.toLowerCase())}`,
      `it=${MASK}`,
    ],
    ['twice in a line', `${PASSWORD} is not ${PASSWORD}`, `${MASK} is not ${MASK}`],
  ])('are masked %s', (_name, text, shown) => expect(one(text, [PASSWORD])).toBe(shown));

  it('are masked from six characters on', () => {
    expect(one('it is short or longer', ['short', 'longer'])).toBe(`it is short or ${MASK}`);
  });

  it('leave no rest of a longer one', () => {
    expect(one('it is abcdef-ghijkl', ['abcdef', 'abcdef-ghijkl'])).toBe(`it is ${MASK}`);
  });

  it('are masked by their lines if they have several', () => {
    const secret = ['first line of the secret', 'short', 'third line of the secret'].join('\n');
    const all = masker([secret]);
    expect(secret.split('\n').map((line) => all.mask('app', line))).toEqual([MASK, 'short', MASK]);
  });

  it('are masked at the end of a cut line of which they show only the beginning', () => {
    expect(masker(['horse-battery']).mask('app', 'it is horse-bat', true)).toBe(`it is ${MASK}`);
    expect(masker(['horse-battery']).mask('app', 'it is horse-bat')).toBe('it is horse-bat');
  });

  it('are masked where a long line is cut by us', () => {
    const text = `${'x'.repeat(LOG_LINE_LENGTH_MAX - 8)}horse-battery and more`;
    const shown = one(text, ['horse-battery']);
    expect(shown).toBe(`${'x'.repeat(LOG_LINE_LENGTH_MAX - 8)}${MASK} …`);
    expect(shown).toHaveLength(LOG_LINE_LENGTH_MAX);
  });
});

describe('what looks like a secret', () => {
  it.each([
    ['password=hunter2 user=ada', `password=${MASK} user=ada`],
    ['DB_PASSWORD: hunter2', `DB_PASSWORD: ${MASK}`],
    ['password = "two words" done', `password = "${MASK}" done`],
    [String.raw`password="a\"b" done`, `password="${MASK}" done`],
    ['{"password":"hunter2","user":"ada"}', `{"password":"${MASK}","user":"ada"}`],
    [String.raw`{"body":"{\"token\":\"abc\",\"n\":1}"}`, String.raw`{"body":"{\"token\":\"${MASK}\",\"n\":1}"}`],
    ["token: 'abc'", `token: '${MASK}'`],
    ['api_key => abc', `api_key => ${MASK}`],
    ['run --password hunter2 --user ada', `run --password ${MASK} --user ada`],
    ['GET /?access_token=abc&page=2', `GET /?access_token=${MASK}&page=2`],
    ['Authorization: Bearer abc.def', `Authorization: Bearer ${MASK}`],
    ['authorization: Basic YWRhOng=', `authorization: Basic ${MASK}`],
    ['"Authorization":"abc"', `"Authorization":"${MASK}"`],
    ['sent bearer abcdefghij to it', `sent bearer ${MASK} to it`],
    ['Set-Cookie: session=abc; Path=/', `Set-Cookie: session=${MASK}; Path=/`],
    ['Cookie: a=1; session=deadbeef; b="x y" status=200', `Cookie: a=${MASK}; session=${MASK}; b=${MASK} status=200`],
    ["Cookie: name=O'Brien; b=2", `Cookie: name=${MASK}; b=${MASK}`],
    ['{"cookie":"a=1; session=abc","path":"/"}', `{"cookie":"a=${MASK}; session=${MASK}","path":"/"}`],
    [
      "'set-cookie': [ 'a=1; Path=/; HttpOnly', 'b=2; Max-Age=60' ]",
      `'set-cookie': [ 'a=${MASK}; Path=/; HttpOnly', 'b=${MASK}; Max-Age=60' ]`,
    ],
    ['pass=hunter2 done', `pass=${MASK} done`],
    ['smtp_pass: hunter2', `smtp_pass: ${MASK}`],
    ['{"auth":{"user":"ada","smtpPass":"hunter2"}}', `{"auth":{"user":"ada","smtpPass":"${MASK}"}}`],
    ['ENCRYPTION_KEY=abc', `ENCRYPTION_KEY=${MASK}`],
    ['signing-key: abc', `signing-key: ${MASK}`],
    ['masterKey=abc', `masterKey=${MASK}`],
    ['SECRET_KEY_BASE=abc', `SECRET_KEY_BASE=${MASK}`],
    ['otp=123456', `otp=${MASK}`],
    ['{"totp":"123456"}', `{"totp":"${MASK}"}`],
    ['GET /callback?state=x&code=4/0AbCdEf&scope=y', `GET /callback?state=x&code=${MASK}&scope=y`],
    [String.raw`"GET /callback?state=x\u0026code=4/0AbCdEf"`, String.raw`"GET /callback?state=x\u0026code=${MASK}"`],
    ['charged with sk_live_51HabcDEF99.', `charged with ${MASK}.`],
    ['id AKIAIOSFODNN7EXAMPLE', `id ${MASK}`],
    ['pushed by ghp_0123456789abcdefABCDEF', `pushed by ${MASK}`],
    ['github_pat_11ABCDEFG0_abcdefgh', MASK],
    ['slack xoxb-1234567890-abcdef', `slack ${MASK}`],
    ['glpat-AbCdEfGh_12-34', MASK],
    ['mysqldump -u root -pSecret99 app', `mysqldump -u root -p${MASK} app`],
    ["mysql -p'two words' app", `mysql -p'${MASK}' app`],
    ['curl -s -u admin:Secret99 http://app', `curl -s -u admin:${MASK} http://app`],
    ['["curl","-u","admin:Secret99"]', `["curl","-u","admin:${MASK}"]`],
    ['Admin password is Abc123', `Admin password is ${MASK}`],
    ['postgres://u:p@ss:w0rd@db:5432/a@b', `postgres://u:${MASK}@db:5432/a@b`],
    ['postgres://ada:hunter2@db:5432/app', `postgres://ada:${MASK}@db:5432/app`],
    ['redis://:hunter2@cache', `redis://:${MASK}@cache`],
    ['got eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl now', `got ${MASK} now`],
    [`key ${KEY.join('\\n')}\\n is set`, `key ${MASK}\\n is set`],
    ['A'.repeat(64), MASK],
  ])('%s', (text, shown) => expect(one(text)).toBe(shown));

  it.each([
    'password authentication failed for user ada',
    'https://example.com/path?page=2',
    'all tests pass, 12 of 12: done',
    'bypass: on, compass=north, laptop: none',
    'key=value pair, primary key: id',
    'GET /error?code=404',
    'task_live_updates of ghp_ began',
    'mysql -u root -P 3306 --protocol=tcp -p',
    'curl: (7) failed to connect, port 80: refused',
    'the password is required, and a password is too short',
    'cookie banner: shown, cookies: enabled; theme=dark',
    'the token was renewed',
    'ada@example.com signed in',
    'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 pulled',
  ])('is not found in: %s', (text) => expect(one(text)).toBe(text));

  it('of several lines is masked to its end, in its container only', () => {
    const all = masker([]);
    const lines = KEY.map((line) => [all.mask('app', line), all.mask('db', 'ready')]);
    expect(lines).toEqual(KEY.map(() => [MASK, 'ready']));
    expect(all.mask('app', 'ready')).toBe('ready');
  });

  it('without an end does not hide the rest of the log', () => {
    const all = masker([]);
    all.mask('app', '-----BEGIN PRIVATE KEY-----');
    const shown = Array.from({ length: 200 }, () => all.mask('app', 'ready'));
    expect(shown.indexOf('ready')).toBe(120);
  });

  it.each([
    'password',
    'password=',
    'password="',
    String.raw`password\"`,
    'token: ',
    'token  ',
    'authorization: bearer ',
    'bearer ',
    'cookie: a=',
    'cookie',
    'cookie=a;',
    'cookie: a=1; ',
    'a=1; ',
    'smtp',
    'pass: ',
    'otp',
    '&code=',
    'sk_live_',
    'ghp_aaaaaaa',
    'xoxb-',
    'mysql ',
    'mysql -p',
    'curl ',
    'curl -u a',
    'curl -u,',
    'password is ',
    'password was a',
    'a://b:c',
    'a://b:c@',
    'a://',
    'http',
    'eyJ-eyJ',
    'eyJaaaaaa.',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN ',
    'A',
    '\\',
    '"',
    ' ',
    '--password ',
  ])('is searched in linear time in a line of repeated "%s"', (part) => {
    const text = part.repeat(4_000 / part.length);
    const all = masker([PASSWORD, 'A'.repeat(40)]);
    const started = performance.now();
    for (let turn = 0; turn < 20; turn++) all.mask('app', text);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
