import { afterAll, beforeAll } from '@jest/globals';
import { type Product, startProduct } from '../journeys/product';
import { LONG_MS, openBrowser, type There } from './browser';
import { failedDeployment } from './failed-deployment';
import { newcomerInTheBrowser } from './first-deployment';
import { byKeyboardAlone } from './keyboard';

let there: There;
let product: Product | undefined;

beforeAll(async () => {
  product = await startProduct(['all-in-one']);
  there = { product, browser: await openBrowser() };
}, LONG_MS);

afterAll(async () => {
  await there?.browser.close();
  await product?.stop();
}, LONG_MS);

// people of one product, one after the other: starting it costs as much as one of them
newcomerInTheBrowser(() => there);
byKeyboardAlone(() => there);
failedDeployment(() => there);
