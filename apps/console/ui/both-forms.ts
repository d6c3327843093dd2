import punycode from 'punycode/punycode.js';

/** A domain as people read it; null: DNS has it in the same letters. */
export function readableDomain(domain: string): string | null {
  try {
    const name = punycode.toUnicode(domain);
    return name === domain ? null : name;
  } catch {
    // a label that only looks encoded
    return null;
  }
}

/** A domain or an email address as people read it, with its form in DNS behind it where that is another. */
export function bothForms(domain: string): string {
  const name = readableDomain(domain);
  return name === null ? domain : `${name} (${domain})`;
}
