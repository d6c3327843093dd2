/** The address somebody typed follows from form to form, so that nobody types it twice. Gone with the page. */
let typed = '';

export const typedEmail = (): string => typed;

export function keepTypedEmail(email: string): void {
  typed = email.trim();
}
