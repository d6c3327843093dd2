import { hasUnwritable, isDomainName, writtenText } from './text';

/** Browsers and Node provide it, but this library is compiled with the types of neither. */
declare const URL: { new (address: string): { readonly hostname: string }; canParse(address: string): boolean };

/** Signs that would make another part of a URL of it, or something that the URL parser decodes. */
const NO_HOST = /[\s/\\?#@:%[\]<>^|]/;
const ASCII = /^[\x20-\x7e]*$/;

/**
 * A domain as DNS has it: in lower case, and with A-labels for labels beyond ASCII, as browsers convert them (UTS 46).
 * Text that is no domain stays as it is, for the rules to refuse.
 */
export function asciiDomain(text: string): string {
  const name = writtenText(text);
  if (ASCII.test(name)) return name.toLowerCase();
  if (hasUnwritable(name) || NO_HOST.test(name) || !URL.canParse(`http://${name}`)) return name;
  const { hostname } = new URL(`http://${name}`);
  return isDomainName(hostname) ? hostname : name;
}

/** Returns an email address as mail servers accept it, with the A-labels of its domain. */
export function asciiEmail(text: string): string {
  const email = writtenText(text);
  const at = email.lastIndexOf('@');
  const host = email.slice(at + 1);
  return at < 1 || ASCII.test(host) ? email : `${email.slice(0, at)}@${asciiDomain(host)}`;
}
