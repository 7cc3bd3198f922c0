/** The cheap store of the benchmark, beside its program: it answers at every path, so that it can be many stores. */
import '../../children/cheap-store.ts';
