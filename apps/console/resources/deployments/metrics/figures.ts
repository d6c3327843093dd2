import { localeTag } from '../../../texts/locale';
import { byteSize } from '../../../ui/bytes';
import { wholeNumber } from '../../../ui/numbers';

const MIB = 2 ** 20;

/** The contract has sizes in MiB. Sizes are shown in decimal units, as everywhere in the console. */
export const bytesOf = (mb: number): number => mb * MIB;

export const sizeText = (mb: number): string => byteSize(bytesOf(mb));

const decimal = (value: number, digits: number): string =>
  value.toLocaleString(localeTag(), { maximumFractionDigits: digits });

/** Formats a share as `12 %`, with a decimal below 10. */
export const percentText = (percent: number): string => `${decimal(percent, percent < 10 ? 1 : 0)} %`;

/** Formats reachability. It is cut to two decimals, so that 100 means that no check has failed. */
export const reachableText = (percent: number): string => decimal(percent, 2);

/** Formats a response time as `182 ms` or `3.2 s`. */
export const responseText = (ms: number): string =>
  ms < 1_000 ? `${wholeNumber(ms)} ms` : `${decimal(ms / 1_000, 1)} s`;

export const loadText = (load: number): string => decimal(load, 2);
