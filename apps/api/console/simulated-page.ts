import { createHash } from 'node:crypto';
import { formatMessage, type Language, type Texts } from '@moorage/domain';
import { SERVER_TEXTS } from '@moorage/texts/server';

/** Text page shown in place of a simulated server. It contains no script and no input of the visitor. */
export interface SimulatedPage {
  readonly status: number;
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** Address of the visitor's deployments. */
  readonly link: string;
}

export interface WouldBe {
  readonly host: string;
  readonly packageName: string;
  readonly rows: readonly WouldSignIn[];
}

export interface WouldSignIn {
  readonly title: Texts;
  /** Username shared by all deployments of the package, or null for the customer's own, which only the details show. */
  readonly user: string | null;
  readonly requiresPassword: boolean;
}

interface Reader {
  readonly language: Language;
  readonly link: string;
}

export function simulatedPage(found: WouldBe, { language, link }: Reader): SimulatedPage {
  const texts = SERVER_TEXTS[language].simulated_server;
  const { host, packageName, rows } = found;
  const here = (name: string): string => formatMessage(texts.here, { name });
  const paragraphs = rows.flatMap(({ title, user, requiresPassword }) => [
    here(`${packageName}: ${title[language]}`),
    ...(requiresPassword ? [user === null ? texts.as_owner : formatMessage(texts.as_user, { user })] : []),
  ]);
  return {
    status: 200,
    title: texts.title,
    paragraphs: [
      formatMessage(texts.nothing_real, { host }),
      ...(rows.length === 0 ? [here(packageName)] : paragraphs),
    ],
    link,
  };
}

export function unknownPage({ language, link }: Reader): SimulatedPage {
  const { unknown_title: title, unknown } = SERVER_TEXTS[language].simulated_server;
  return { status: 404, title, paragraphs: [unknown], link };
}

export function awayPage({ language, link }: Reader): SimulatedPage {
  const { away_title: title, away } = SERVER_TEXTS[language].simulated_server;
  return { status: 503, title, paragraphs: [away], link };
}

/** Colours of the console (`apps/console/ui/tokens.css`), whose style sheets this page cannot load. */
const STYLE = `:root{color-scheme:light dark;--paper:#f7f6f2;--card:#fff;--line:#e2e1d9;--ink:#0f2630;--soft:#3f545e;--sea:#0a5a6c}
@media (prefers-color-scheme:dark){:root{--paper:#0a1418;--card:#101c21;--line:#22333a;--ink:#e7eef0;--soft:#b4c4ca;--sea:#62c1d0}}
body{margin:0;min-height:100vh;background:var(--paper);color:var(--soft);font:1rem/1.55 system-ui,sans-serif;overflow-wrap:anywhere}
header{display:flex;align-items:center;gap:.6rem;max-width:34rem;margin:0 auto;padding:1.5rem 1.25rem;color:var(--ink);font-weight:650}
header svg,a{color:var(--sea)}
main{box-sizing:border-box;max-width:34rem;margin:6vh auto 0;padding:1.5rem 1.75rem;border:1px solid var(--line);border-radius:12px;background:var(--card)}
h1{margin:0 0 .75rem;color:var(--ink);font-size:1.4rem;line-height:1.3}
p{margin:.75rem 0 0}
@media (max-width:600px){main{margin:0 1rem}}`;

const MARK =
  '<svg width="26" height="26" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.6" stroke-linecap="round" aria-hidden="true"><path d="M4 4.2V20M20 4.2V20"/><path d="M4 5.2c1.6 7.6 4.6 10.6 8 10.6s6.4-3 8-10.6"/></svg>';

/** Allows nothing except this page's own style. The page sends no requests and cannot be framed. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function html(
  { title, paragraphs, link }: SimulatedPage,
  { language, brand }: { language: Language; brand: string },
): string {
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)} · ${escaped(brand)}</title>
<style>${STYLE}</style>
<header>${MARK}${escaped(brand)}</header>
<main>
<h1>${escaped(title)}</h1>
${paragraphs.map((text) => `<p>${escaped(text)}</p>`).join('\n')}
<p><a href="${escaped(link)}">${escaped(SERVER_TEXTS[language].simulated_server.link)}</a></p>
</main>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
