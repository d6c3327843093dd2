import type { Locator } from 'playwright-core';

/**
 * Chooses as a person does, by the card around the radio: the click waits until the card stands still, which a forced one
 * on the invisible radio does not.
 */
export async function choose(radio: Locator): Promise<void> {
  await radio.locator('xpath=ancestor::label').click();
  await radio.and(radio.page().locator(':checked')).waitFor({ state: 'attached' });
}
