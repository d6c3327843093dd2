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

  /** `provider`: only of this one, where the request is about no other. */
  async load(reads: Reads, provider?: string): Promise<OfferedCatalogue> {
    const now = await this.clock.now(reads);
    const offers = await offersOf(reads, this.settings.clouds, {
      now,
      ...(provider === undefined ? {} : { provider }),
    });
    const sources = new Map<string, OfferSource>(offers.map(({ offer, source }) => [offer.provider, source]));
    return {
      ...catalogueOf(offers.map(({ offer }) => offer)),
      sourceOf: (provider) => sources.get(provider) ?? 'built_in',
    };
  }
}
