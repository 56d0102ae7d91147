import { describe, expect, it, test } from 'vitest';
import { explainProblem, type OpenPages, type ProblemPage } from './explain-problem.ts';

const OWNER: OpenPages = new Set<ProblemPage>(['byok', 'llm-keys', 'plan', 'integrations']);
const MANAGER: OpenPages = new Set<ProblemPage>(['llm-keys', 'integrations']);
const MEMBER: OpenPages = new Set<ProblemPage>(['integrations']);

const NO_KEY = 'This provider requires an organization API key, but no key is configured.';

describe('a message without an answer', () => {
  test.each([
    ['policy_denied:missing_provider_api_key:openai', NO_KEY, ['llm-keys', 'byok'], ['llm-keys'], []],
    [
      'policy_denied:provider_not_supported_by_byok:google',
      'Only models that run on an organization API key are allowed here.',
      ['llm-keys'],
      ['llm-keys'],
      [],
    ],
    ['policy_denied:model', 'The selected AI model is not allowed for your organization.', [], [], []],
    ['model_not_routable', 'No credential can route this model.', ['llm-keys'], ['llm-keys'], []],
    [
      'provider_key_rejected',
      'Unable to connect to the AI service. Verify that your organization OpenAI API key is valid.',
      ['llm-keys', 'byok'],
      ['llm-keys'],
      [],
    ],
    [
      'capability_unusable',
      "The capability 'gitlab' cannot be used now.",
      ['integrations'],
      ['integrations'],
      ['integrations'],
    ],
  ] as const)(
    '%s begins with its own sentence and leads where it is fixed',
    (code, sentence, owner, manager, member) => {
      expect(explainProblem(code, sentence, OWNER)).toMatchObject({ text: sentence, pages: owner });
      expect(explainProblem(code, sentence, MANAGER).pages).toEqual(manager);
      expect(explainProblem(code, sentence, MEMBER).pages).toEqual(member);
    },
  );

  it('says whom to ask if the person cannot fix it', () => {
    expect(explainProblem('policy_denied:missing_provider_api_key:openai', NO_KEY, MEMBER).advice).toMatch(
      /^Ask an owner or admin/,
    );
    expect(explainProblem('policy_denied:missing_provider_api_key:openai', NO_KEY, OWNER).advice).toMatch(
      /^Save a key/,
    );
  });

  it('says quota exceeded', () => {
    expect(explainProblem('quota_exceeded', 'The budget does not cover this request.', OWNER)).toMatchObject({
      text: expect.stringMatching(/^Quota exceeded: /),
      pages: ['plan', 'llm-keys'],
    });
  });

  it('says rate limited, with the wait if it is known', () => {
    expect(explainProblem('rate_limited', 'Rate limited: too many. Try again in 17 seconds.', OWNER).text).toBe(
      'Rate limited: too many. Try again in 17 seconds.',
    );
    expect(explainProblem('rate_limited', 'Too many requests in a short time.', OWNER).text).toMatch(
      /^Rate limited: .*minute/,
    );
  });

  it('names the app that could not be used, also for a named connection', () => {
    expect(explainProblem('capability_unusable', "The capability 'github.work' cannot be used now.", MEMBER).app).toBe(
      'github',
    );
  });

  it('shows unknown errors unchanged', () => {
    expect(explainProblem('brand_new', 'Because of this.', OWNER)).toEqual({
      text: 'Because of this.',
      advice: expect.stringContaining('kept'),
      pages: [],
    });
  });
});
