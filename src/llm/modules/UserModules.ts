import { type ModuleOptions, moduleOpener, type OpenModule, type UserModule } from "./UserModule.ts";

/** The modules of a manifest, each opened on first use in one sandbox. */
export class UserModules {
  readonly #open: OpenModule | null;
  readonly #options: ModuleOptions;
  readonly #modules = new Map<string, UserModule>();

  private constructor(open: OpenModule | null, options: ModuleOptions) {
    this.#open = open;
    this.#options = options;
  }

  /** @param open Opens modules (default: those of files, in sandboxes). */
  static async of(options: ModuleOptions, open?: OpenModule): Promise<UserModules> {
    return new UserModules(open ?? (await moduleOpener()), options);
  }

  /** @throws Error in a page. */
  at(path: string): UserModule {
    if (this.#open === null)
      throw new Error(`module ${path}: a page cannot run modules that a manifest names; use \`rlkit train\``);
    const module = this.#modules.get(path) ?? this.#open(path, this.#options);
    this.#modules.set(path, module);
    return module;
  }

  /** Ends all modules. */
  close(): void {
    for (const module of this.#modules.values()) module.close();
  }
}
