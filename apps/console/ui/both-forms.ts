import punycode from 'punycode/punycode.js';

/** Returns a domain as people read it, or null if DNS uses the same letters. */
export function readableDomain(domain: string): string | null {
  try {
    const name = punycode.toUnicode(domain);
    return name === domain ? null : name;
  } catch {
    // a label that only looks encoded
    return null;
  }
}

/** Returns a domain or an email address as people read it, followed by its form in DNS if that differs. */
export function bothForms(domain: string): string {
  const name = readableDomain(domain);
  return name === null ? domain : `${name} (${domain})`;
}
