import { OpenAction } from '../page/header-action';
import { usePage } from '../page/page-context';
import { ConfigurationSection } from './configuration-section';
import { DeletionSection } from './deletion-section';
import { DomainsSection } from './domains-section';
import { HandOverSection } from './hand-over-section';
import { LevelSection } from './level-section';
import { MoveSection } from './move-section';
import { NameSection } from './name-section';
import { ProtectionSection } from './protection-section';
import { SizeSection } from './size-section';
import { SshKeysSection } from './ssh-keys-section';
import { UpdatesSection } from './updates-section';

/** Settings of the deployment. */
export default function SettingsTab() {
  const { details } = usePage();
  if (details === undefined) return null;
  const { deployment } = details;
  return (
    <div className="deployment-cols">
      <div>
        <NameSection deployment={deployment} />
        <SizeSection key={`size ${deployment.instance_type ?? ''}`} deployment={deployment} />
        <ConfigurationSection deployment={deployment} />
        <UpdatesSection details={details} />
        <LevelSection key={deployment.support_level} deployment={deployment} />
        <DomainsSection deployment={deployment} />
        <MoveSection deployment={deployment} />
        <SshKeysSection deployment={deployment} />
      </div>
      <aside>
        <ProtectionSection deployment={deployment} />
        <HandOverSection deployment={deployment} />
        <DeletionSection deployment={deployment} />
      </aside>
      <OpenAction deployment={deployment} />
    </div>
  );
}
