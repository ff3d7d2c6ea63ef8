/** A menu of agents that also shows the idea and the options of the chosen one. */

import { make } from './dom.js';

/**
 * Split an agent's name, `id:option=value,option=value`, into its id and its options.
 * @param {string} name
 * @returns {{id: string, values: Record<string, string>}}
 */
export function parseAgent(name) {
  const [, id = name, rest = ''] = /^([a-z0-9_-]+):(.*=.*)$/.exec(name) ?? [];
  const pairs = rest === '' ? [] : rest.split(',').map((text) => text.split('='));
  return { id, values: Object.fromEntries(pairs.map(([key, ...value]) => [key, value.join('=')])) };
}

/**
 * Return an agent's name with its options, without those that have their default value.
 * @param {string} id
 * @param {AgentOption[]} options
 * @param {Record<string, string>} values
 */
export function formatAgent(id, options, values) {
  const changed = options.filter(({ name, default: first }) => values[name] !== undefined && values[name] !== '' && values[name] !== plain(first));
  return changed.length === 0 ? id : `${id}:${changed.map(({ name }) => `${name}=${values[name]}`).join(',')}`;
}

/** @param {any} value */
function plain(value) {
  if (value === true) return 'true';
  if (value === false) return 'false';
  return value === null || value === undefined ? '' : String(value);
}

export class AgentPicker {
  /** @type {AgentInfo[]} */
  #agents = [];
  /** @type {Record<string, string>} */
  #values = {};

  /**
   * @param {string} label
   * @param {() => void} changed
   * @param {boolean} optional whether "none" is a choice
   */
  constructor(label, changed, optional = false) {
    this.changed = changed;
    this.optional = optional;
    this.select = /** @type {HTMLSelectElement} */ (make('select', { 'aria-label': label }));
    this.idea = make('p', { class: 'idea' });
    this.options = make('div', { class: 'options' });
    this.more = make('details', {}, make('summary', {}, 'Options'), this.options);
    this.element = make('div', { class: 'picker' }, this.select, this.idea, this.more);
    this.select.addEventListener('change', () => {
      this.#values = {};
      this.#show();
      changed();
    });
  }

  /** The name of the chosen agent, with its options. */
  get value() {
    const agent = this.agent;
    return agent === undefined ? '' : formatAgent(agent.id, agent.options, this.#values);
  }

  /** The description of the chosen agent. */
  get agent() {
    return this.#agents.find(({ id }) => id === this.select.value);
  }

  /**
   * Fill the menu and choose an agent.
   * @param {AgentInfo[]} agents
   * @param {string} name
   */
  fill(agents, name) {
    this.#agents = agents;
    const none = this.optional ? [make('option', { value: '' }, 'none')] : [];
    this.select.replaceChildren(...none, ...agents.map(({ id }) => make('option', { value: id }, id)));
    const known = agents.some(({ id }) => id === name);
    const { id, values } = known ? { id: name, values: {} } : parseAgent(name);
    this.select.value = agents.some((agent) => agent.id === id) || this.optional ? id : agents[0]?.id ?? '';
    if (this.select.selectedIndex < 0) this.select.selectedIndex = 0;
    this.#values = values;
    this.#show();
  }

  #show() {
    const agent = this.agent;
    this.idea.textContent = agent?.idea ?? '';
    this.idea.title = agent === undefined ? '' : `${agent.proves} ${agent.source}`;
    this.more.hidden = (agent?.options ?? []).length === 0;
    this.options.replaceChildren(...(agent?.options ?? []).map((option) => this.#control(option)));
  }

  /** @param {AgentOption} option */
  #control(option) {
    const value = this.#values[option.name] ?? plain(option.default);
    const field = makeField(option, value);
    field.addEventListener('change', () => {
      this.#values[option.name] = field instanceof HTMLInputElement && field.type === 'checkbox' ? String(field.checked) : field.value;
      this.changed();
    });
    const label = make('label', { title: option.help, class: option.type === 'bool' ? 'check' : '' });
    const name = option.name.replaceAll('_', ' ');
    label.append(...(option.type === 'bool' ? [field, ` ${name}`] : [`${name} `, field]));
    return label;
  }
}

/**
 * @param {AgentOption} option
 * @param {string} value
 * @returns {HTMLInputElement | HTMLSelectElement}
 */
function makeField(option, value) {
  if (option.type === 'bool') {
    const box = /** @type {HTMLInputElement} */ (make('input', { type: 'checkbox' }));
    box.checked = value === 'true' || value === 'yes' || value === 'on';
    return box;
  }
  if (option.choices.length > 0) {
    const list = /** @type {HTMLSelectElement} */ (make('select', {}, ...option.choices.map((one) => make('option', { value: plain(one) }, plain(one)))));
    list.value = value;
    return list;
  }
  return /** @type {HTMLInputElement} */ (make('input', { value, inputmode: option.type === 'str' ? 'text' : 'decimal' }));
}
