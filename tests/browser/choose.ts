import type { Locator } from 'playwright-core';

/**
 * Chooses like a user, by the card around the radio button. The click waits until the card is stable, unlike a forced
 * click on the invisible radio button.
 */
export async function choose(radio: Locator): Promise<void> {
  await radio.locator('xpath=ancestor::label').click();
  await radio.and(radio.page().locator(':checked')).waitFor({ state: 'attached' });
}
