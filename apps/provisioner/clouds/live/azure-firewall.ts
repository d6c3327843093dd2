import { z } from 'zod';
import { OPEN_PORTS } from './open-ports';

/** Rules of the network security group of a server. */
export const RULES = OPEN_PORTS.map(({ protocol, ports }, index) => ({
  name: protocol,
  properties: {
    protocol: { tcp: 'Tcp', udp: 'Udp' }[protocol],
    sourcePortRange: '*',
    destinationPortRanges: ports.map(String),
    sourceAddressPrefix: '*',
    destinationAddressPrefix: '*',
    access: 'Allow',
    priority: 100 + index,
    direction: 'Inbound',
  },
}));

const securityRule = z.object({
  name: z.string(),
  properties: z.object({
    protocol: z.string(),
    destinationPortRange: z.string().nullish(),
    destinationPortRanges: z.array(z.string()).nullish(),
    sourceAddressPrefix: z.string().nullish(),
    access: z.string(),
    priority: z.number(),
    direction: z.string(),
  }),
});
export const securityGroup = z.object({
  id: z.string(),
  properties: z.object({ securityRules: z.array(securityRule).optional() }),
});
/** Includes fields that we do not read, because the whole object is sent back. */
export const networkCard = z.looseObject({
  id: z.string(),
  properties: z.looseObject({ networkSecurityGroup: z.looseObject({ id: z.string() }).optional() }),
});
export type NetworkCard = z.infer<typeof networkCard>;

/** Returns the allowed ports and sources, independent of their order. */
const rulesText = (rules: readonly z.infer<typeof securityRule>[]): string =>
  rules
    .map(({ properties: one }) => {
      const ports = [
        ...(one.destinationPortRanges ?? []),
        ...(one.destinationPortRange ? [one.destinationPortRange] : []),
      ];
      return [one.direction, one.access, one.protocol, one.sourceAddressPrefix, one.priority, ...ports.sort()].join(
        ' ',
      );
    })
    .map((text) => text.toLowerCase())
    .sort()
    .join();

/** Compares ids. Azure does not preserve their case. */
export const isSameId = (id: string | undefined, other: string): boolean => id?.toLowerCase() === other.toLowerCase();

export const isAsWanted = ({ properties }: z.infer<typeof securityGroup>): boolean =>
  rulesText(properties.securityRules ?? []) === rulesText(RULES);
