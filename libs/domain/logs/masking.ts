/** Replacement of a secret in a log line. Its length does not depend on that of the secret. */
export const MASK = '••••••';
/** Shorter values are too common to be replaced wherever they occur. */
export const MASKED_LENGTH_MIN = 6;
/** Maximum number of characters of a line that is stored and shown. */
export const LOG_LINE_LENGTH_MAX = 2_000;
/** Character at the end of a line that was cut. */
const CUT = '…';
/** Lines of a secret that has several are recognised one by one from this length. */
const SECRET_LINE_LENGTH_MIN = 16;
/** A private key without an end does not hide more lines than this. */
const KEY_LINES_MAX = 120;

/*
 * Each pattern takes linear time. A repetition is bounded or followed by a character that it does not contain, and no
 * two adjacent repetitions match the same character.
 */

/** Name of a setting that is a secret. `\b` would not find `DB_PASSWORD`. */
const SECRET_NAME =
  '(?:passwords?|passwd|passphrase|pwd|secrets?|tokens?|credentials?|(?:api|access|private|secret|encryption|signing|master|app)[_-]?keys?(?:[_-]?base)?|(?:(?<![a-z])|smtp|mail|db|sql|redis|user|admin|root)pass|(?<![a-z])t?otp(?:[_-]?code)?)';
/** Text between a name and its value, such as `=`, `: `, `":"` or the same within an escaped string. */
const BETWEEN = String.raw`\\{0,3}["']?\s{0,4}(?:=>|[=:])\s{0,4}`;
/** Value in quotes, which may be escaped, or up to the next space or separator. */
const VALUE = String.raw`(?:\\{1,3}"[^"]{0,2000}[^"\\]|"(?:[^"\\]|\\.){1,2000}|'(?:[^'\\]|\\.){1,2000}|[^\s"',;&]{1,2000})`;
export const NAMED_SECRET = new RegExp(`(${SECRET_NAME}${BETWEEN})(${VALUE})`, 'gi');
/** Also `--password value`, as in command lines. */
export const SECRET_OPTION = new RegExp(String.raw`(--?${SECRET_NAME}\s{1,4})(?!-)([^\s"',;]{1,2000})`, 'gi');
export const AUTHORIZATION_SECRET = new RegExp(
  String.raw`(authorization\\{0,3}["']?\s{0,4}[:=]\s{0,4}\\{0,3}["']?)(?:(bearer|basic|digest|token|apikey|negotiate)\s{1,4})?([^\s"',;\\]{1,2000})`,
  'gi',
);
const BEARER = /\b(bearer\s{1,4})([A-Za-z0-9._~+/=-]{8,2000})/gi;
/** A quote, which may be escaped, or none. */
const QUOTE = String.raw`\\{0,3}["']?`;
const COOKIE_PAIR = String.raw`([^\s=;"',\\]{1,100})(=(?:"[^"]{0,2000}"|(?:[^\s;"'\\]|'(?![\s,;)\]}]|$)){0,2000}))?`;
const COOKIES = new RegExp(COOKIE_PAIR, 'g');
/** All pairs of a header, or of a list of headers. */
export const COOKIE_HEADER = new RegExp(
  `((?:set-)?cookie${QUOTE}\\s{0,4}[:=]\\s{0,4}(?:\\[\\s{0,4})?${QUOTE})(${COOKIE_PAIR}(?:(?:;\\s{0,4}|${QUOTE},\\s{0,4}${QUOTE})${COOKIE_PAIR}){0,100})`,
  'gi',
);
const COOKIE_ATTRIBUTE = /^(?:path|domain|expires|max-age|samesite|priority)$/i;
/** Up to the last `@` before the path, because a password may contain others. */
const URL_CREDENTIALS = /([a-z][a-z0-9+.-]{1,20}:\/\/)([^\s/@:"'<>]{0,200}):([^\s/"'<>]{1,500})@/gi;
/** Code with which a login at another site returns. Go writes `&` in JSON as `\u0026`. */
const CALLBACK_CODE = /((?:[?&]|&amp;|\\u0026)code=)([^\s"'&#;,<>\\]{6,2000})/gi;
/** Prefixes of Stripe, AWS, GitHub, Slack and GitLab. */
const KNOWN_TOKEN =
  /(?<![A-Za-z0-9])(?:[rs]k_(?:live|test)_[A-Za-z0-9]{8,500}|whsec_[A-Za-z0-9+/=]{8,500}|AKIA[A-Z0-9]{12,30}|gh[opsur]_[A-Za-z0-9]{8,500}|github_pat_[A-Za-z0-9_]{8,500}|xox[abeprs]-[A-Za-z0-9-]{8,500}|glpat-[A-Za-z0-9_.-]{8,500})/g;
/** `-p` directly before the password, as in `mysqldump -psecret`. */
export const MYSQL_PASSWORD = new RegExp(String.raw`(\b(?:mysql|mariadb)[^\n|]{0,200}?[\s"']-p)(${VALUE})`, 'g');
const CURL_PASSWORD =
  /(\bcurl\b[^\n|]{0,200}?[\s"'](?:-u|--user|--proxy-user|-U)[\s"',=]{0,4}[^\s:"',=]{0,100}:)([^\s"']{1,500})/g;
/** A password in a sentence, if it has digits and letters. */
const PASSWORD_SENTENCE =
  /(\bpasswords?(?:\s{1,4}is|\s{1,4}was)\s{1,4})(?=[^\s\d]{0,100}\d)(?=[^\sA-Za-z]{0,100}[A-Za-z])([^\s"']{6,500})/gi;
const JWT = /\beyJ[A-Za-z0-9_-]{5,2000}\.[A-Za-z0-9_-]{5,2000}(?:\.[A-Za-z0-9_-]{0,2000})?/g;
const KEY_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const KEY_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
/** A line of nothing but base64, as in the body of a key. */
const BASE64_LINE = /^\s{0,8}[A-Za-z0-9+/]{48,}={0,2}\s{0,8}$/;

/** Masks the lines of a deployment's containers. */
export interface Masker {
  /** Returns the line without secrets. Lines of a container must be passed in order, because a key has several. */
  mask(container: string, text: string, isCut?: boolean): string;
}

/** Creates a masker for secrets known by value, in addition to everything that looks like one. */
export function masker(secrets: Iterable<string>): Masker {
  const values = variantsOf(secrets);
  const pattern = values.length === 0 ? null : new RegExp(values.map((value) => escaped(value)).join('|'), 'g');
  /** Number of lines of an open private key by container. */
  const open = new Map<string, number>();

  function withoutKey(container: string, text: string): string {
    const lines = open.get(container);
    if (lines !== undefined) {
      const end = KEY_END.exec(text);
      if (end === null && lines < KEY_LINES_MAX) {
        open.set(container, lines + 1);
        return MASK;
      }
      open.delete(container);
      if (end !== null) return MASK + withoutKey(container, text.slice(end.index + end[0].length));
    }
    const begin = KEY_BEGIN.exec(text);
    if (begin === null) return BASE64_LINE.test(text) ? MASK : text;
    const before = text.slice(0, begin.index);
    const after = text.slice(begin.index + begin[0].length);
    const end = KEY_END.exec(after);
    if (end !== null) return before + MASK + withoutKey(container, after.slice(end.index + end[0].length));
    // A key within a string ends with the line, and only a key that is alone on its line continues.
    if (after.trim() === '') open.set(container, 0);
    return before + MASK;
  }

  return {
    mask(container, text, isCut = false) {
      const known = pattern === null ? text : text.replace(pattern, MASK);
      const whole = withoutKey(container, isCut ? withoutBeginning(known, values) : known);
      return cut(maskNamed(whole));
    },
  };
}

/** Masks values that look like secrets within one line. */
function maskNamed(text: string): string {
  return text
    .replace(URL_CREDENTIALS, (_all, scheme: string, user: string) => `${scheme}${user}:${MASK}@`)
    .replace(JWT, MASK)
    .replace(AUTHORIZATION_SECRET, (_all, name: string, scheme: string | undefined) =>
      scheme === undefined ? name + MASK : `${name}${scheme} ${MASK}`,
    )
    .replace(BEARER, (_all, name: string) => name + MASK)
    .replace(COOKIE_HEADER, (_all, name: string, pairs: string) => name + pairs.replace(COOKIES, maskedPair))
    .replace(CALLBACK_CODE, (_all, name: string) => name + MASK)
    .replace(KNOWN_TOKEN, MASK)
    .replace(MYSQL_PASSWORD, (_all, command: string, value: string) => command + maskedValue(value))
    .replace(CURL_PASSWORD, (_all, command: string) => command + MASK)
    .replace(PASSWORD_SENTENCE, (_all, name: string) => name + MASK)
    .replace(NAMED_SECRET, (_all, name: string, value: string) => name + maskedValue(value))
    .replace(SECRET_OPTION, (_all, name: string) => name + MASK);
}

/** Masks a value without its opening quote, so that the line stays readable. */
const maskedValue = (value: string): string => (/^\\{0,3}["']/.exec(value)?.[0] ?? '') + MASK;

const maskedPair = (pair: string, name: string, value: string | undefined): string =>
  value === undefined || COOKIE_ATTRIBUTE.test(name) ? pair : `${name}=${MASK}`;

/**
 * Returns the texts as which secrets may occur in a line: as they are, escaped in JSON once and twice, and encoded in a
 * URL or HTML. The longest come first, so that no rest of a longer secret stays.
 */
function variantsOf(secrets: Iterable<string>): string[] {
  const found = new Set<string>();
  for (const secret of secrets) {
    const lines = secret.split(/\r?\n/);
    const parts = [secret.trim(), ...(lines.length > 1 ? lines.map((line) => line.trim()) : [])];
    parts.forEach((part, index) => {
      if (part.length < (index === 0 ? MASKED_LENGTH_MIN : SECRET_LINE_LENGTH_MIN)) return;
      const json = JSON.stringify(part).slice(1, -1);
      const slashes = json.replaceAll('/', '\\/');
      const url = encodeUrl(part);
      const all = [part, json, slashes, JSON.stringify(json).slice(1, -1), url, url.replaceAll('%20', '+')];
      const lower = url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
      const strict = url.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
      const form = `${part.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')}`;
      for (const text of [...all, lower, strict, form]) found.add(text);
    });
  }
  return [...found].sort((a, b) => b.length - a.length);
}

/** Encodes for a URL. A lone surrogate cannot be encoded. */
const encodeUrl = (text: string): string => encodeURIComponent(wellFormed(text));

const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');

/** Replaces the beginning of a secret at the end of a line that was cut. */
function withoutBeginning(text: string, values: readonly string[]): string {
  let from = text.length;
  for (const value of values) {
    for (let length = Math.min(value.length - 1, text.length); length >= 3; length--) {
      if (!text.endsWith(value.slice(0, length))) continue;
      from = Math.min(from, text.length - length);
      break;
    }
  }
  return from === text.length ? text : text.slice(0, from) + MASK;
}

function cut(text: string): string {
  if (text.length <= LOG_LINE_LENGTH_MAX) return text;
  return wellFormed(text.slice(0, LOG_LINE_LENGTH_MAX - CUT.length)) + CUT;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
