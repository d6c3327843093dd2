import { dailyPrice, PRICE_LIST } from '@moorage/domain';

/** Daily fee for managing a customer's own server, in currency units. */
export const OWN_SERVER_DAILY = dailyPrice(PRICE_LIST.byovpsFeeHourly).toWire();
