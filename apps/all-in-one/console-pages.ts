import fastifyStatic from '@fastify/static';
import type { Pages } from '@moorage/api';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';

const YEAR_S = 365 * 24 * 60 * 60;

/**
 * Emotion adds empty <style> elements and fills them through the CSSOM, so they need only the hash of the empty text.
 */
const EMPTY_STYLE = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/**
 * Builds the policy: nothing inline and nothing from other hosts, except a frame of the video's host, loaded on a
 * click.
 */
function contentSecurityPolicy(videoUrl: string | undefined): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${EMPTY_STYLE}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    `frame-src ${videoUrl === undefined ? "'none'" : new URL(videoUrl).origin}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Headers of every response of the console. The gateway of the Docker stack sends the same. */
export const consoleHeaders = (videoUrl: string | undefined): Readonly<Record<string, string>> => ({
  'content-security-policy': contentSecurityPolicy(videoUrl),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
});

/**
 * Serves the built console next to the API. Hashed files are cached for a year. All other paths return the single page,
 * which is never cached. Throws if there is no build.
 */
export async function consolePages({
  folder,
  videoUrl,
}: {
  folder: string;
  videoUrl: string | undefined;
}): Promise<Pages> {
  const root = resolve(folder);
  await access(resolve(root, 'index.html'));
  const headers = consoleHeaders(videoUrl);
  return {
    async add(fastify: FastifyInstance) {
      await fastify.register(fastifyStatic, {
        root,
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
    },
    fallback(request, reply: FastifyReply) {
      // A file of another build. Returning the page instead would run it as a script.
      if (request.url.startsWith('/assets/'))
        return void reply.status(404).headers(headers).type('text/plain').send('Not found');
      return void reply
        .headers({ ...headers, 'cache-control': 'no-cache' })
        .type('text/html; charset=utf-8')
        .sendFile('index.html', { cacheControl: false });
    },
  };
}
