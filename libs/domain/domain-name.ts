import { hasUnwritable, isDomainName, writtenText } from './text';

/** Global of browsers and Node. It is declared here because this library is compiled without the types of either. */
declare const URL: { new (address: string): { readonly hostname: string }; canParse(address: string): boolean };

/** Characters that would turn the text into another part of a URL, or that the URL parser decodes. */
const NO_HOST = /[\s/\\?#@:%[\]<>^|]/;
const ASCII = /^[\x20-\x7e]*$/;

/**
 * Converts a domain to its DNS form, in lower case and with A-labels for non-ASCII labels, as browsers do (UTS 46).
 * Text that is not a domain is returned unchanged, for the rules to reject.
 */
export function asciiDomain(text: string): string {
  const name = writtenText(text);
  if (ASCII.test(name)) return name.toLowerCase();
  if (hasUnwritable(name) || NO_HOST.test(name) || !URL.canParse(`http://${name}`)) return name;
  const { hostname } = new URL(`http://${name}`);
  return isDomainName(hostname) ? hostname : name;
}

/** Returns an email address in the form mail servers accept, with A-labels in its domain. */
export function asciiEmail(text: string): string {
  const email = writtenText(text);
  const at = email.lastIndexOf('@');
  const host = email.slice(at + 1);
  return at < 1 || ASCII.test(host) ? email : `${email.slice(0, at)}@${asciiDomain(host)}`;
}
