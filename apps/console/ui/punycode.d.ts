declare module 'punycode/punycode.js' {
  const punycode: { toUnicode(domainOrEmail: string): string };
  export default punycode;
}
