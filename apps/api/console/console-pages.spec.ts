import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiHarness, apiHarness } from '@moorage/tests/services/api/api-harness';
import Fastify, { type FastifyInstance } from 'fastify';
import { BackupPromises } from '../backup-policy/backup-promises.policy';
import { shownPrices } from '../catalogue/shown-prices';
import { consolePages } from './console-pages';
import { consoleSettings } from './console-settings';

const PAGE =
  '<title>%brand_name%</title><p>%tagline:Usual tagline%</p>' +
  '<a href="%link:terms%" rel="noopener">Terms</a><a href="%link:imprint%" rel="noopener">Imprint</a>' +
  '<script type="application/json" id="page-data">%data%</script>';

describe('pages of the console', () => {
  let api: ApiHarness;
  let folder: string;
  let server: FastifyInstance;

  const started = async (tagline: string): Promise<FastifyInstance> => {
    const brand = { ...api.settings.brand, name: 'Berths </script> & Co', tagline };
    const links = { ...api.settings.links, imprint: 'https://example.com/imprint?a=1&b=2' };
    const settings = { ...api.settings, brand, links };
    const pages = await consolePages({
      pagesFile: join(folder, 'pages.json'),
      data: { settings: consoleSettings(settings, new BackupPromises(settings).modes()), prices: shownPrices() },
    });
    const fastify = Fastify();
    await pages.add(fastify);
    fastify.setNotFoundHandler((request, reply) => pages.fallback(request, reply));
    return fastify;
  };

  beforeAll(async () => {
    api = await apiHarness();
    folder = await mkdtemp(join(tmpdir(), 'moorage-pages-'));
    const pages = {
      en: { '/': PAGE, '/login': 'Login', '*': 'Console' },
      de: { '/': `de ${PAGE}`, '/login': 'Anmelden', '*': 'Konsole' },
    };
    await writeFile(join(folder, 'pages.json'), JSON.stringify(pages));
    server = await started('Berths for software.');
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
    await api.close();
  });

  it('contain the name, the tagline and the links of the operator, and public data that cannot end its element', async () => {
    const { body } = await server.inject('/');
    expect(body).toContain('<title>Berths &lt;/script&gt; &amp; Co</title><p>Berths for software.</p>');
    expect(body).not.toContain('Terms');
    expect(body).toContain('<a href="https://example.com/imprint?a=1&amp;b=2" rel="noopener">Imprint</a>');
    const [, data = ''] = /id="page-data">([^<]*)<\/script>$/.exec(body) ?? [];
    expect(JSON.parse(data)).toMatchObject({
      settings: { brand: { name: 'Berths </script> & Co' } },
      prices: { byovpsDailyFee: 0.12 },
    });
  });

  it('contain the translated tagline unless the operator has one', async () => {
    const usual = await started(
      'Simplified managed hosting platform for deploying pre-configured open-source software packages on cloud infrastructure.',
    );
    expect((await usual.inject('/')).body).toContain('<p>Usual tagline</p>');
    await usual.close();
  });

  it.each([
    ['the chosen language', { cookie: 'a=b; locale=de', 'accept-language': 'en' }, 'Anmelden', 'de'],
    ['the language that the browser prefers', { 'accept-language': 'fr, de;q=0.8, en;q=0.5' }, 'Anmelden', 'de'],
    ['English after a choice that does not exist', { cookie: 'locale=fr' }, 'Login', 'en'],
  ])('are sent in %s', async (_, headers, body, language) => {
    const answer = await server.inject({ url: '/login/?next=/billing', headers });
    expect([answer.body, answer.headers['content-language'], answer.headers.vary]).toEqual([
      body,
      language,
      'accept-encoding, accept-language, cookie',
    ]);
  });

  it('are compressed, and revalidated by their content', async () => {
    const headers = { 'accept-encoding': 'gzip, deflate' };
    const answer = await server.inject({ url: '/login', headers });
    expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', 'cache-control': 'no-cache' });
    expect(gunzipSync(answer.rawPayload).toString()).toBe('Login');
    const again = await server.inject({
      url: '/login',
      headers: { ...headers, 'if-none-match': String(answer.headers.etag) },
    });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    const other = await server.inject({ url: '/', headers: { 'if-none-match': String(answer.headers.etag) } });
    expect(other.statusCode).toBe(200);
  });

  it('are the same for all addresses without their own, but not for files of another build', async () => {
    for (const url of ['/dashboard', '/deployments/7/logs', '/nothing', '/constructor'])
      expect((await server.inject(url)).body).toBe('Console');
    const file = await server.inject('/assets/index-old.js');
    expect([file.statusCode, file.headers['content-type']]).toEqual([404, 'text/plain']);
  });
});
