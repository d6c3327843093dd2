import { type Language, printable } from '@moorage/domain';
import { type Brand, type Choice, linkLabel, type MailText, SERVER_TEXTS, type Written } from '@moorage/texts/server';
import * as layout from './layout/layout';

interface Rendering {
  readonly brand: Pick<Brand, 'name' | 'publicUrl'>;
  readonly language: Language;
  /** Null if emails of this kind cannot be disabled. */
  readonly unsubscribeUrl: string | null;
}

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Renders an email as text and as HTML with the same paragraphs. */
export function renderMail(mail: MailText, rendering: Rendering): RenderedMail {
  // Subjects contain names chosen by users. These are validated on input, and a line break here would forge a header.
  const subject = printable(mail.subject);
  return { subject, text: plain(mail, rendering), html: html({ ...mail, subject }, rendering) };
}

function plain({ text }: MailText, { brand: { name, publicUrl }, language, unsubscribeUrl }: Rendering): string {
  return [
    ...text.map((paragraph) =>
      isChoice(paragraph) ? `${paragraph.label}:\n${paragraph.url}` : folded(textOf(paragraph)),
    ),
    `${name}\n${publicUrl}\n`,
    ...(unsubscribeUrl === null ? [] : [`${SERVER_TEXTS[language].layout.unsubscribe}:\n${unsubscribeUrl}\n`]),
  ].join('\n\n');
}

function html({ subject, text }: MailText, { brand, language, unsubscribeUrl }: Rendering): string {
  const { layout: texts } = SERVER_TEXTS[language];
  const labelOf = (line: Paragraph): string | undefined =>
    isLink(line) && line.startsWith(`${brand.publicUrl}/`)
      ? linkLabel(line.slice(brand.publicUrl.length), texts)
      : undefined;
  // Choices are labelled for this email, and the last of them is its button. Otherwise the first console link is.
  const onButton = text.findLast(isChoice) ?? text.find((line) => labelOf(line) !== undefined);
  const parts = text.map((line) => {
    if (isChoice(line))
      return filled(line === onButton ? layout.button : layout.link, { url: line.url, label: line.label });
    if (!isLink(line)) return textOf(line).trim() === '' ? '' : filled(layout.paragraph, { text: textOf(line) });
    const link = { url: line, label: labelOf(line) ?? line };
    if (line !== onButton) return filled(layout.link, link);
    const button = filled(layout.button, link);
    if (!HAS_TOKEN.test(line)) return button;
    return button + filled(layout.address, { url: line, text: texts.if_no_button });
  });
  const notes = [filled(layout.note, { text: brand.name, url: brand.publicUrl, label: brand.publicUrl })];
  if (unsubscribeUrl !== null) {
    notes.push(filled(layout.note, { text: texts.why, url: unsubscribeUrl, label: texts.unsubscribe }));
  }
  return filled(
    layout.page,
    {
      lang: language,
      subject,
      brand: brand.name,
      // Mail programs show this text after the subject in their lists.
      preheader:
        text.flatMap((line) => (isChoice(line) ? [] : [textOf(line)])).find((line) => !line.endsWith(',')) ?? '',
    },
    { parts: parts.join(''), notes: notes.join('') },
  );
}

const HAS_TOKEN = /[?&]token=|\/conversation#/;

type Paragraph = MailText['text'][number];

const isChoice = (paragraph: Paragraph): paragraph is Choice => typeof paragraph !== 'string' && 'url' in paragraph;

const textOf = (paragraph: string | Written): string => (typeof paragraph === 'string' ? paragraph : paragraph.written);

/**
 * Returns true for links in our own paragraphs only, because text written by users must not become a button of ours.
 */
const isLink = (paragraph: Paragraph): paragraph is string =>
  typeof paragraph === 'string' && /^https?:\/\/\S+$/.test(paragraph);

/** Fills a template. All values are escaped except `markup`, which was created here. */
function filled(part: string, values: Readonly<Record<string, string>>, markup: Readonly<Record<string, string>> = {}) {
  const texts = Object.entries(values).map(([name, value]) => [name, escaped(value)] as const);
  const all = new Map([...texts, ...Object.entries(markup)]);
  return part.replace(/%\{(\w+)\}/g, (slot, name: string) => all.get(name) ?? slot);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\n': '<br />',
};

const escaped = (text: string): string => text.replace(/[&<>"'\n]/g, (character) => ENTITIES[character] ?? '');

/** Line length that mail programs show unbroken. Text without spaces (a link) stays whole. */
const LINE_MAX = 72;

function folded(paragraph: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > LINE_MAX) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}
