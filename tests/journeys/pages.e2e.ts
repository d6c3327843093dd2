import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Product, startProduct } from './product';

const BRAND = { BRAND_NAME: 'Berths & Co', IMPRINT_URL: 'https://example.com/imprint' };

describe.each(['all-in-one', 'api'] as const)('pages of the built product as %s, without JavaScript', (process) => {
  let product: Product;
  beforeAll(async () => {
    product = await startProduct([process], BRAND);
  }, 120_000);
  afterAll(() => product.stop());

  const page = async (path: string, headers: Record<string, string>): Promise<string> => {
    const answer = await fetch(product.url + path, { headers });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    return answer.text();
  };

  it.each([
    ['English', 'en-GB', '<html lang="en"', 'Simplified managed hosting platform', 'Imprint'],
    ['German', 'de-AT,en;q=0.5', '<html lang="de"', 'Hosting ohne Aufwand', 'Impressum'],
  ])(
    'show the headline, the tagline and the links of the operator in %s',
    async (_, accepted, lang, tagline, imprint) => {
      const html = await page('/', { 'accept-language': accepted });
      expect(html).toContain(lang);
      expect(html).toContain('<title>Berths &amp; Co</title>');
      expect(html).toContain('<h1>Berths &amp; Co</h1>');
      expect(html).toContain(`<p class="tagline">${tagline}`);
      expect(html).toContain(`<a href="https://example.com/imprint" target="_blank" rel="noopener">${imprint}</a>`);
      expect(html).not.toMatch(/%(?:brand_name|tagline|link|data)/);
    },
  );

  it('show prices, and the forms of the login and the signup', async () => {
    expect(await page('/pricing', {})).toContain('<span class="big">$0.12<!-- --> <small>');
    expect(await page('/login', {})).toContain('<title>Login · Berths &amp; Co</title>');
    expect(await page('/signup/?ref=ada', {})).toContain('autoComplete="new-password"');
  });

  it('have the bar and a placeholder at the addresses of the logged-in side', async () => {
    expect(await page('/dashboard', { cookie: 'theme=x; locale=de' })).toMatch(
      /<h1 class="grow">Ressourcen[^<]*<\/h1>/,
    );
    expect(await page('/billing', {})).toMatch(/<span>Berths &amp; Co<\/span>.*class="page-skeleton"/);
  });
});
