// What is kept on this device, and how is nothing of it lost? One record in IndexedDB, with a version.
//
// What cannot be read (broken, or from a newer course) is set aside under a key of its own and offered for download; it is
// never deleted. Where the browser keeps nothing, everything works in memory and says so.
const NAME = "course";
const RECORD = "progress";
export const VERSION = 1;

const empty = () => ({ version: VERSION, goals: {} });

/** Reads a record of any version up to this one; null for what is none. */
export function upgrade(record) {
  if (typeof record !== "object" || record === null || !Number.isInteger(record.version)) return null;
  if (record.version > VERSION || record.version < 0) return null;
  // Version 0 kept a list of ids without the time of the tick.
  const goals = record.version === 0 && Array.isArray(record.goals)
    ? Object.fromEntries(record.goals.map((id) => [id, 0]))
    : record.goals;
  if (typeof goals !== "object" || goals === null || Array.isArray(goals)) return null;
  const sound = Object.entries(goals).every(([id, time]) => /^[\w-]+\/[\w-]+$/.test(id) && Number.isFinite(time));
  return sound ? { version: VERSION, goals } : null;
}

class Store extends EventTarget {
  #database = null;
  #record = empty();
  #ready;
  /** Whether changes outlive the page. */
  kept = true;
  /** What could not be read, as text. */
  aside = null;

  constructor() {
    super();
    this.#ready = this.#open();
    // Another tab has changed something.
    try {
      this.channel = new BroadcastChannel("course-progress");
      this.channel.onmessage = () => this.#load().then(() => this.dispatchEvent(new Event("change")));
    } catch {
      this.channel = null;
    }
  }

  async #open() {
    try {
      this.#database = await new Promise((resolve, reject) => {
        const request = indexedDB.open(NAME, 1);
        request.onupgradeneeded = () => request.result.createObjectStore("records");
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
        request.onblocked = () => reject(new Error("blocked"));
      });
      await this.#load();
    } catch {
      this.kept = false;
    }
  }

  #run(mode, work) {
    return new Promise((resolve, reject) => {
      const transaction = this.#database.transaction("records", mode);
      const request = work(transaction.objectStore("records"));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  }

  async #load() {
    if (!this.#database) return;
    const found = await this.#run("readonly", (records) => records.get(RECORD));
    if (found === undefined) return;
    const record = upgrade(found);
    if (record) {
      this.#record = record;
    } else {
      this.aside = typeof found === "string" ? found : JSON.stringify(found);
      await this.#run("readwrite", (records) => records.put(found, `aside-${Date.now()}`));
      await this.#run("readwrite", (records) => records.delete(RECORD));
    }
  }

  /** The goals that are ticked: id to the time of the tick. */
  async goals() {
    await this.#ready;
    return { ...this.#record.goals };
  }

  /** Ticks a goal, or takes the tick away. */
  async setGoal(id, ticked) {
    await this.#ready;
    await this.#change((goals) => {
      if (ticked) goals[id] ??= Date.now();
      else delete goals[id];
    });
  }

  async #change(edit) {
    // Read and write in one transaction, so that two tabs do not undo each other.
    if (this.#database) {
      try {
        await new Promise((resolve, reject) => {
          const transaction = this.#database.transaction("records", "readwrite");
          const records = transaction.objectStore("records");
          const read = records.get(RECORD);
          read.onsuccess = () => {
            const record = upgrade(read.result) ?? empty();
            edit(record.goals);
            this.#record = record;
            records.put(record, RECORD);
          };
          transaction.oncomplete = resolve;
          transaction.onerror = () => reject(transaction.error);
          transaction.onabort = () => reject(transaction.error);
        });
      } catch {
        this.kept = false;
        edit(this.#record.goals);
      }
    } else {
      edit(this.#record.goals);
    }
    this.channel?.postMessage("changed");
    this.dispatchEvent(new Event("change"));
  }

  /** Everything as text, for a file. */
  async exported() {
    await this.#ready;
    return JSON.stringify(this.#record, null, 2);
  }

  /** Adds what a file holds to what is here; false where it is no progress. */
  async imported(text) {
    let record = null;
    try {
      record = upgrade(JSON.parse(text));
    } catch {
      return false;
    }
    if (!record) return false;
    await this.#ready;
    await this.#change((goals) => {
      for (const [id, time] of Object.entries(record.goals)) goals[id] = Math.min(goals[id] ?? Infinity, time);
    });
    return true;
  }

  ready() {
    return this.#ready;
  }
}

export const store = new Store();
