import type { Deployment } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { Section } from '../section';
import { LevelRow } from './level-row';

/** Support level of a deployment. */
export function LevelSection({ deployment }: { deployment: Deployment }) {
  const t = useText();
  return (
    <Section title={t('deployments.cost.level')}>
      <LevelRow deployment={deployment} />
    </Section>
  );
}
