import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { LANGUAGES } from '@moorage/domain';
import { renderMail } from './render-mail';
import { sampleMails, unconfirmedMails, writtenMails } from '@moorage/tests/services/api/sample-mails';

const brand = { name: 'Moorage', supportEmail: 'support@moorage.test', publicUrl: 'http://moorage.test' };
const rendered = (...text: string[]) =>
  renderMail({ subject: 'A subject', text }, { brand, language: 'en', unsubscribeUrl: null });
const hrefs = (html: string) =>
  [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
const addresses = (text: string) => text.match(/^https?:\/\/\S+$/gm) ?? [];

describe('email as text and HTML', () => {
  it('escapes names', () => {
    const name = `<b>Eve</b> & "x" %{parts}`;
    const { html, text } = renderMail(
      { subject: name, text: [`Hello ${name},`, `${name}\nsigned up.`] },
      { brand: { ...brand, name }, language: 'en', unsubscribeUrl: null },
    );
    const shown = '&lt;b&gt;Eve&lt;/b&gt; &amp; &quot;x&quot; %{parts}';
    expect(html).not.toContain('<b>');
    expect(html).toContain(`<title>${shown}</title>`);
    expect(html).toContain(`>Hello ${shown},<`);
    expect(html).toContain(`>${shown}<br />signed up.<`);
    expect(text).toContain(`Hello ${name},\n\n${name}\nsigned up.`);
  });

  it('has a button for the first console link and a different label for each further one', () => {
    const { html } = rendered(
      'Hello,',
      'https://elsewhere.example/a?b=1&c=2',
      'http://moorage.test/billing',
      'http://moorage.test/account#data',
      'http://moorage.test/api/health/details',
      'http://moorage.test.evil.example/billing',
    );
    const labelled = [...html.matchAll(/<a\s+href="([^"]*)"[^>]*>\s*([^<]*?)\s*<\/a>/g)].map(([, ...each]) => each);
    expect(labelled).toEqual([
      ['https://elsewhere.example/a?b=1&amp;c=2', 'https://elsewhere.example/a?b=1&amp;c=2'],
      ['http://moorage.test/billing', 'Open billing'],
      ['http://moorage.test/account#data', 'Download your data'],
      ['http://moorage.test/api/health/details', 'http://moorage.test/api/health/details'],
      ['http://moorage.test.evil.example/billing', 'http://moorage.test.evil.example/billing'],
      ['http://moorage.test', 'http://moorage.test'],
    ]);
    expect(html.match(/class="button"/g)).toHaveLength(1);
  });

  it('has the last of the choices as its button, and the others as links', () => {
    const choice = (amount: number) => ({
      label: `Add $${amount}`,
      url: `http://moorage.test/billing?amount=${amount}#add`,
    });
    const mail = { subject: 'A subject', text: ['Two choices:', choice(5), choice(53), 'http://moorage.test/account'] };
    const { html, text } = renderMail(mail, { brand, language: 'en', unsubscribeUrl: null });
    expect(html.match(/class="button"/g)).toHaveLength(1);
    expect(html).toMatch(/class="text link"[^]*>Add \$5<[^]*class="button"[^]*>\s*Add \$53\s*</);
    expect(text).toContain('Add $5:\nhttp://moorage.test/billing?amount=5#add');
  });

  it('shows the link below the button when the email is useless without it', () => {
    const url = 'http://moorage.test/verify-email?token=abc';
    expect(rendered(url).html).toContain(`open this link:<br /><a href="${url}">${url}</a>`);
    expect(rendered('http://moorage.test/billing').html).not.toContain('open this link:');
  });

  it('uses the line below the greeting as preview text', () => {
    expect(rendered('Hello jane,', 'open this link.').html).toContain('overflow:hidden;">open this link.</div>');
  });

  it('explains how to unsubscribe where that is possible', () => {
    const unsubscribeUrl = 'http://moorage.test/unsubscribe?token=abc';
    const mail = { subject: 'A subject', text: ['Hello,'] };
    const { html, text } = renderMail(mail, { brand, language: 'de', unsubscribeUrl });
    expect(text).toBe(
      `Hello,\n\nMoorage\nhttp://moorage.test\n\n\nE-Mails dieser Art abbestellen:\n${unsubscribeUrl}\n`,
    );
    expect(html).toContain(`<a href="${unsubscribeUrl}">E-Mails dieser Art abbestellen</a>`);
    expect(rendered('Hello,').html).not.toContain('unsubscribe');
  });

  it('wraps its text and has a one-line subject', () => {
    const { text, subject } = renderMail(
      { subject: 'x\r\nBcc: v@example.com', text: ['word '.repeat(40).trim()] },
      { brand, language: 'en', unsubscribeUrl: null },
    );
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(72);
    expect(subject).toBe('x Bcc: v@example.com');
  });

  it.each(LANGUAGES)('has the same links in both, and every slot filled in: every email in %s', (language) => {
    for (const { name, html, text } of sampleMails(language, brand)) {
      const links = [...new Set(hrefs(html))].sort();
      expect({ name, links }).toEqual({ name, links: [...new Set(addresses(text))].sort() });
      expect(html).toContain(`<html lang="${language}"`);
      expect(html + text).not.toMatch(/%\{|\[\[|undefined|\[object/);
      // Nothing is loaded from the network.
      expect(html).not.toMatch(/<img|<link|<script|@import|url\(|src=/);
    }
  });

  it.each(LANGUAGES)('never turns user input into a link or a button: every email in %s', (language) => {
    const link = 'http://moorage.test/verify-email?token=AAAA';
    const asSent = new Map(sampleMails(language, brand).map(({ name, html }) => [name, hrefs(html)]));
    for (const text of [link, `Hello,\n${link}\nhttps://evil.example/x`])
      for (const { name, html } of writtenMails(language, brand, text))
        expect({ name, links: hrefs(html) }).toEqual({ name, links: asSent.get(name) });
  });

  it.each(LANGUAGES)(
    'contains nothing chosen by a stranger for an unconfirmed address: every email in %s',
    (language) => {
      for (const { subject, text, html } of unconfirmedMails(language, brand, 'claim at evil.example'))
        expect(subject + text + html).not.toMatch(/evil|\bnull\b|undefined| ,/);
    },
  );

  it('is compiled from the current layout: node scripts/mail-layout.mjs', () => {
    const hash = createHash('sha256').update(readFileSync('apps/api/mail/layout/layout.mjml')).digest('hex');
    expect(readFileSync('apps/api/mail/layout/layout.ts', 'utf8')).toContain(`sha256 ${hash}\n`);
  });
});
