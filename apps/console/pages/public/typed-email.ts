/** Email typed in one form, reused by the next. Lost on a page load. */
let typed = '';

export const typedEmail = (): string => typed;

export function storeTypedEmail(email: string): void {
  typed = email.trim();
}
