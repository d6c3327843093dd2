import { describe, expect, it } from '@jest/globals';
import { type PackageConfig, type Wizard, wizardReducer } from '@moorage/domain';
import { storeDraft, newDraft, openDraft } from './draft-storage';

describe('admin subdomain of a reloaded draft', () => {
  const OWNER = 7;
  const NOW = Date.parse('2026-11-21T14:00:00Z');
  const choose = (wizard: Wizard<never>, name: string, suggested: string): Wizard<never> => {
    const config: PackageConfig = { name, display_name: name, default_admin_subdomain: suggested, details: [] };
    return wizardReducer(wizard, { type: 'package_chosen', config });
  };
  const reloaded = (wizard: Wizard<never>): Wizard<never> => {
    storeDraft({ ...newDraft<never>(OWNER, NOW), wizard });
    return openDraft<never>(OWNER, NOW).wizard;
  };
  const chosen = choose(newDraft<never>(OWNER, NOW).wizard, 'one', 'bridge');

  it('follows the next package if the previous package suggested it', () => {
    expect(choose(reloaded(chosen), 'two', 'deck').draft.admin_subdomain).toBe('deck');
  });

  it('stays if the user typed it', () => {
    const typed = wizardReducer(chosen, { type: 'config_typed', field: 'admin_subdomain', value: 'mast' });
    expect(choose(reloaded(typed), 'two', 'deck').draft.admin_subdomain).toBe('mast');
  });

  it('stays in a draft stored before suggestions existed', () => {
    reloaded(chosen);
    const { suggestedSubdomain: _, ...before } = JSON.parse(sessionStorage.getItem('draft') ?? '{}') as Record<
      string,
      unknown
    >;
    sessionStorage.setItem('draft', JSON.stringify(before));
    const { wizard } = openDraft<never>(OWNER, NOW);
    expect(choose(wizard, 'two', 'deck').draft.admin_subdomain).toBe('bridge');
  });
});
