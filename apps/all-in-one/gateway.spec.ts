import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { consoleHeaders } from '@moorage/api/console/console-pages';

const caddyfile = readFileSync('infra/docker/gateway/Caddyfile', 'utf8');

/** Returns the headers of the block of files. A name with a minus removes a header. */
function headersOfFiles(): Record<string, string> {
  const [, block = ''] = /\thandle @file \{\n\t+header \{\n([^}]*)\}/.exec(caddyfile) ?? [];
  return Object.fromEntries([...block.matchAll(/^\t+([\w-]+) "(.*)"$/gm)].map(([, name, value]) => [name, value]));
}

describe('gateway of the Docker stack', () => {
  it('sends the same headers with files of the console as the all-in-one', () => {
    expect(headersOfFiles()).toEqual(consoleHeaders(null));
  });

  it('leaves every address without a file to the api', () => {
    expect(caddyfile).toMatch(/\n\thandle \{\n\t\timport api\n\t\}\n\}\n$/);
  });

  it('redirects pages to https, and rejects API calls over http', () => {
    const [, plain = ''] = /^http:\/\/ \{\n([^]*?)\n\}/m.exec(caddyfile) ?? [];
    expect(plain).toMatch(/handle \/api\/\* \{[^}]*respond `\{"detail":"[^"]+","code":"HTTPS_REQUIRED"\}` 403/);
    expect(plain).toContain('redir {$PUBLIC_URL}{uri} permanent');
  });

  it('caches files with a content hash in their name for a year, and revalidates all others', () => {
    expect(caddyfile).toContain('header cache-control "public, max-age=31536000, immutable"');
    expect(caddyfile).toContain('header cache-control "no-cache"');
  });
});
