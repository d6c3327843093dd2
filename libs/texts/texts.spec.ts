import { describe, expect, it } from '@jest/globals';
import {
  ACCESS_MESSAGES,
  createRenderer,
  DEPLOYMENT_STATUSES,
  ENV_NAMES,
  envLabel,
  envLabelMessage,
  ORDER_MESSAGES,
  statusLabel,
  statusMessage,
} from '@moorage/domain';
import { consoleTexts, reactAdminTexts } from './en/console';
import { publicTexts } from './en/public';
import { LANGUAGE_TEXTS } from './languages';
import { type Texts, translate } from './translate';

const OTHERS = Object.entries(LANGUAGE_TEXTS).filter(([language]) => language !== 'en');

function sentences(texts: Texts, path = ''): [string, string][] {
  return Object.entries(texts).flatMap(([name, value]) =>
    typeof value === 'string' ? [[`${path}${name}`, value] as [string, string]] : sentences(value, `${path}${name}.`),
  );
}

const placeholders = (text: string): string[] => [...new Set(text.match(/%\{\w+\}/g) ?? [])].sort();

describe('text catalogue', () => {
  it.each(OTHERS)('%s has every key, no empty text and the same placeholders', async (_, language) => {
    const catalogue = { ...(await language.loadPublic()), ...(await language.loadConsole()) };
    const words = new Map(
      sentences([catalogue.publicTexts, catalogue.consoleTexts, catalogue.reactAdminTexts] as unknown as Texts),
    );
    const expected = sentences([publicTexts, consoleTexts, reactAdminTexts] as unknown as Texts);
    expect([...words.keys()].sort()).toEqual(expected.map(([key]) => key).sort());
    for (const [key, text] of expected) {
      const other = words.get(key) ?? '';
      expect([key, other === '' && text !== '']).toEqual([key, false]);
      expect([key, placeholders(other)]).toEqual([key, placeholders(text)]);
      expect([key, other.includes('||||')]).toEqual([key, text.includes('||||')]);
    }
  });

  it('fills in values, selects the plural and returns the key of a missing text', () => {
    const texts = { a: { hello: 'Hello %{name}', many: '%{smart_count} day |||| %{smart_count} days' } };
    expect(translate(texts, 'a.hello', { name: '<b>Ada</b>' })).toBe('Hello <b>Ada</b>');
    expect(translate(texts, 'a.many', { smart_count: 1 })).toBe('1 day');
    expect(translate(texts, 'a.many', { smart_count: 3 })).toBe('3 days');
    expect(translate(texts, 'a.gone')).toBe('a.gone');
  });
});

describe('texts shared with the domain rules', () => {
  it('use the same name for a status', () => {
    const {
      disabled,
      handing_over: handingOver,
      handed_over: handedOver,
      your_turn: yourTurn,
      owners_turn: ownersTurn,
      certificate_missing: certificateMissing,
      certificate_refused: certificateRefused,
      ...statuses
    } = consoleTexts.layout.status;
    expect(statuses).toEqual(
      Object.fromEntries(DEPLOYMENT_STATUSES.map((status) => [status, statusLabel(status, null)])),
    );
    expect(disabled).toBe(statusLabel('READY', true));
    expect(handingOver).toBe(statusLabel('DESTROYING', null, true));
    expect(handedOver).toBe(statusLabel('DESTROYED', null, true));
    expect([yourTurn, ownersTurn]).toEqual(['your turn', "owner's turn"]);
    expect([certificateMissing, certificateRefused]).toEqual(['Certificate Missing', 'Certificate Refused']);
  });

  it('use the same name for a package value', () => {
    expect(consoleTexts.wizard.env).toEqual(Object.fromEntries(ENV_NAMES.map((name) => [name, envLabel(name)])));
  });
});

describe('server message on a German screen', () => {
  it.each([
    [
      ORDER_MESSAGES.address_in_use,
      'Auf diesem Server läuft bereits ein anderes Deployment. Verwenden Sie einen anderen Server, oder löschen Sie zuerst jenes Deployment.',
    ],
    [
      ORDER_MESSAGES.value_missing_with({
        label: envLabelMessage('CLIENT_SECRET'),
        other: envLabelMessage('CLIENT_ID'),
      }),
      'OAuth-Client-Secret ist zusammen mit OAuth-Client-ID erforderlich.',
    ],
    [ORDER_MESSAGES.value_missing({ label: envLabelMessage('MIRROR_HOST') }), 'Mirror Host ist erforderlich.'],
    [
      ORDER_MESSAGES.not_restarted({ status: statusMessage('READY', 1) }),
      'Ein Deployment mit dem Status „Abgeschaltet“ kann nicht neu gestartet werden.',
    ],
    [ACCESS_MESSAGES.credentials_wrong, 'E-Mail oder Passwort ist falsch.'],
  ])('%j', async (message, german) => {
    const { messages } = await LANGUAGE_TEXTS.de.loadConsole();
    expect(createRenderer(messages ?? {})(message)).toBe(german);
  });

  it('is available on public pages that can show it', async () => {
    const { messages } = await LANGUAGE_TEXTS.de.loadPublic();
    const render = createRenderer(messages ?? {});
    expect(render(ACCESS_MESSAGES.credentials_wrong)).toBe('E-Mail oder Passwort ist falsch.');
    expect(render(ORDER_MESSAGES.address_in_use)).toBe(ORDER_MESSAGES.address_in_use.detail);
  });
});
