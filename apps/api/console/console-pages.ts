import fastifyStatic from '@fastify/static';
import type { PageData } from '@moorage/contracts';
import { acceptedLanguage, BRAND_TEXTS, type Language, LANGUAGES } from '@moorage/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Pages } from '../http/pages';

const YEAR_S = 365 * 24 * 60 * 60;

/**
 * Emotion adds empty <style> elements and fills them through the CSSOM, so they need only the hash of the empty text.
 */
const EMPTY_STYLE = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/**
 * Builds the policy: nothing inline and nothing from other hosts, except a frame of the video's host, loaded on a
 * click.
 */
function contentSecurityPolicy(videoUrl: string | null): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${EMPTY_STYLE}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    `frame-src ${videoUrl === null ? "'none'" : new URL(videoUrl).origin}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Headers of every page of the console, and with a null `videoUrl` of its files, also from the Docker stack's gateway. */
export const consoleHeaders = (videoUrl: string | null): Readonly<Record<string, string>> => ({
  'content-security-policy': contentSecurityPolicy(videoUrl),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
});

/** Pages of a language as the build renders them, by path. The page `*` is that of all other addresses. */
type BuiltPages = Readonly<Record<string, string>> & { readonly '*': string };

/**
 * Serves the console next to the API: its pages, filled in with the data of this installation, and its files if they are
 * not served elsewhere. Hashed files are cached for a year, and pages are revalidated. Throws if there is no build.
 */
export async function consolePages({
  pagesFile,
  filesFolder,
  data,
}: {
  /** `pages.json` of the build. */
  pagesFile: string;
  /** Folder of the built files, or undefined if a gateway serves them. */
  filesFolder?: string | undefined;
  data: PageData;
}): Promise<Pages> {
  const built = JSON.parse(await readFile(pagesFile, 'utf8')) as Record<Language, BuiltPages>;
  const headers = consoleHeaders(data.settings.brand.intro_video_url);
  const answers = new Map<string, Promise<Answer>>();
  return {
    async add(fastify: FastifyInstance) {
      if (filesFolder !== undefined) await addFiles(fastify, filesFolder);
    },
    async fallback(request, reply: FastifyReply) {
      const path = pathOf(request);
      // A file of another build. Returning a page instead would run it as a script.
      if (path.startsWith('/assets/'))
        return void reply.status(404).headers(headers).type('text/plain').send('Not found');
      const language = languageOf(request);
      const page = built[language][path] ?? built[language]['*'];
      let answer = answers.get(page);
      answer ??= prepare(fill(page, data));
      answers.set(page, answer);
      send(await answer, { request, reply: reply.headers(headers).header('content-language', language) });
    },
  };
}

async function addFiles(fastify: FastifyInstance, folder: string): Promise<void> {
  const headers = consoleHeaders(null);
  await fastify.register(fastifyStatic, {
    root: resolve(folder),
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      const hashed = path.includes('/assets/');
      void reply.header('cache-control', hashed ? `public, max-age=${YEAR_S}, immutable` : 'no-cache');
      for (const [name, value] of Object.entries(headers)) void reply.header(name, value);
    },
  });
}

/** Returns the path without query and trailing slashes. */
function pathOf({ url }: FastifyRequest): string {
  const [path = ''] = url.split('?', 1);
  return path.replace(/\/+$/, '') || '/';
}

/** Returns the language that the user has chosen in the console, otherwise the one that the browser prefers. */
function languageOf({ headers }: FastifyRequest): Language {
  const chosen = /(?:^|;\s*)locale=(\w+)/.exec(headers.cookie ?? '')?.[1];
  return LANGUAGES.find((each) => each === chosen) ?? acceptedLanguage(headers['accept-language']);
}

/** Replaces the placeholders of a built page (`apps/console/prerender.tsx`). */
function fill(page: string, data: PageData): string {
  const { brand, links } = data.settings;
  return page
    .replace('%data%', () => JSON.stringify(data).replaceAll('<', '\\u003c'))
    .replace(
      /<a href="%link:(\w+)%"([^>]*)>([^<]*)<\/a>/g,
      (_, name: keyof typeof links, rest: string, label: string) => {
        const href = links[name];
        return href === null ? '' : `<a href="${escaped(href)}"${rest}>${label}</a>`;
      },
    )
    .replace(/%tagline:([^%]*)%/g, (_, translated: string) =>
      brand.tagline === BRAND_TEXTS.tagline ? translated : escaped(brand.tagline),
    )
    .replaceAll('%brand_name%', () => escaped(brand.name));
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);

interface Answer {
  readonly etag: string;
  readonly plain: string;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

async function prepare(plain: string): Promise<Answer> {
  const [br, gzipped] = await Promise.all([promisify(brotliCompress)(plain), promisify(gzip)(plain)]);
  return { etag: `W/"${createHash('sha256').update(plain).digest('base64url')}"`, plain, br, gzip: gzipped };
}

function send(answer: Answer, { request, reply }: { request: FastifyRequest; reply: FastifyReply }): void {
  void reply.headers({
    'cache-control': 'no-cache',
    etag: answer.etag,
    vary: 'accept-encoding, accept-language, cookie',
  });
  if (request.headers['if-none-match']?.includes(answer.etag) === true) return void reply.status(304).send();
  void reply.type('text/html; charset=utf-8');
  const accepted = (request.headers['accept-encoding'] ?? '').toString();
  for (const encoding of ['br', 'gzip'] as const)
    if (accepted.includes(encoding)) return void reply.header('content-encoding', encoding).send(answer[encoding]);
  return void reply.send(answer.plain);
}
