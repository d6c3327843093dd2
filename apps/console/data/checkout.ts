const KEY = 'moorage:checkout:';

/**
 * Remembers, for this browser session, what a checkout was about: the success page says what it buys before it has
 * arrived. Currency units; `balanceBefore` is the regular balance, which is what a payment adds to.
 */
export function rememberCheckout(checkout: { sessionId: string; amount: number; balanceBefore: number }): void {
  try {
    sessionStorage.setItem(KEY + checkout.sessionId, JSON.stringify(checkout));
  } catch {
    // storage is switched off: the success page says less
  }
}

/** Currency units; null where this browser did not begin it. */
export function rememberedCheckout(sessionId: string): { amount: number; balanceBefore: number } | null {
  try {
    const { amount, balanceBefore } = JSON.parse(sessionStorage.getItem(KEY + sessionId) ?? '{}') as Record<
      string,
      unknown
    >;
    return typeof amount === 'number' && typeof balanceBefore === 'number' ? { amount, balanceBefore } : null;
  } catch {
    return null;
  }
}
