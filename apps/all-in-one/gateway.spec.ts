import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { consoleHeaders } from './console-pages';

const caddyfile = readFileSync('infra/docker/gateway/Caddyfile', 'utf8');

/** Headers of the console's block. A name with a minus removes a header. */
const [, block = ''] = /\theader \{\n([^}]*\{video_origin\}[^}]*)\}/.exec(caddyfile) ?? [];
const headers = [...block.matchAll(/^\t+([\w-]+) "(.*)"$/gm)].map(
  ([, name = '', value = '']) => [name, value] as const,
);

/** Evaluates the block's `map` for the allowed frame source. */
function videoOrigin(setting: string): string {
  const [, pattern = '', result = '', otherwise = ''] =
    /map \{\$BRAND_INTRO_VIDEO_URL\} \{video_origin\} \{\s*~(\S+) "(.*)"\s*default "(.*)"\s*\}/.exec(caddyfile) ?? [];
  const match = new RegExp(pattern).exec(setting);
  return match === null ? otherwise : result.replace('${1}', match[1] ?? '');
}

function gatewayHeaders(setting: string): Record<string, string> {
  return Object.fromEntries(
    headers.map(([name, value]) => [name, value.replace('{video_origin}', videoOrigin(setting))]),
  );
}

describe('gateway of the Docker stack', () => {
  it('sends the same headers with the console as the all-in-one', () => {
    const video = 'https://video.example.com/embed/1?autoplay=1';
    expect(gatewayHeaders(video)).toEqual(consoleHeaders(video));
    expect(gatewayHeaders(video)['content-security-policy']).toContain('frame-src https://video.example.com;');
  });

  it('allows no frame unless a video is configured', () => {
    // Default in docker-compose.yml.
    expect(gatewayHeaders('none')).toEqual(consoleHeaders(undefined));
  });

  it('redirects pages to https, and rejects API calls over http', () => {
    const [, plain = ''] = /^http:\/\/ \{\n([^]*?)\n\}/m.exec(caddyfile) ?? [];
    expect(plain).toMatch(/handle \/api\/\* \{[^}]*respond `\{"detail":"[^"]+","code":"HTTPS_REQUIRED"\}` 403/);
    expect(plain).toContain('redir {$PUBLIC_URL}{uri} permanent');
  });

  it('caches files with a content hash in their name for a year, and the page never', () => {
    expect(caddyfile).toContain('header cache-control "public, max-age=31536000, immutable"');
    expect(caddyfile).toContain('header cache-control "no-cache"');
  });
});
