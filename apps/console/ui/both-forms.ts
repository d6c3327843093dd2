import punycode from 'punycode/punycode.js';

/** Returns the readable form of a domain, or null if it is the same as its DNS form. */
export function readableDomain(domain: string): string | null {
  try {
    const name = punycode.toUnicode(domain);
    return name === domain ? null : name;
  } catch {
    // A label that only appears to be encoded.
    return null;
  }
}

/** Returns a domain or email in readable form, followed by its DNS form if that differs. */
export function bothForms(domain: string): string {
  const name = readableDomain(domain);
  return name === null ? domain : `${name} (${domain})`;
}
