import { type OfferSource, offersOf } from '@moorage/database';
import { type Catalogue, catalogueOf } from '@moorage/domain';
import { Clock, type Reads } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ApiSettings } from '../settings';

export interface OfferedCatalogue extends Catalogue {
  /** Where a provider's sizes and prices are from. */
  readonly sourceOf: (provider: string) => OfferSource;
}

/** What this installation offers for new servers, as the rows say it now. */
@Injectable()
export class Catalogues {
  constructor(
    private readonly settings: ApiSettings,
    private readonly clock: Clock,
  ) {}

  async load(reads: Reads): Promise<OfferedCatalogue> {
    const offers = await offersOf(reads, this.settings.clouds, await this.clock.now(reads));
    const sources = new Map<string, OfferSource>(offers.map(({ offer, source }) => [offer.provider, source]));
    return {
      ...catalogueOf(offers.map(({ offer }) => offer)),
      sourceOf: (provider) => sources.get(provider) ?? 'built_in',
    };
  }
}
